import { describe, expect, it } from 'vitest'
import { after, expiryOf } from './expiry.ts'

const at = (text: string) => new Date(`${text}T12:00:00Z`)
const never = { expirable: false, expiresAt: null, expiryDueAt: null }
const item = { overrideExpiresAt: null, subscriptionId: null, periodStart: null, periodEnd: null, activeAt: null }
const month = { removeAfter: { value: 1, scale: 'month' as const } }
const period = { ...item, subscriptionId: '1', periodStart: at('2026-01-01'), periodEnd: at('2026-02-01') }

describe('an item expires', () => {
  it('never without a limit of its product', () => {
    expect(expiryOf({ ...item, activeAt: at('2026-01-01') }, { removeAfter: null }, undefined)).toEqual(never)
    expect(expiryOf(item, undefined, undefined)).toEqual(never)
  })

  it('as long after its activation as its product says', () => {
    expect(expiryOf(item, month, undefined)).toEqual({ ...never, expirable: true })
    const end = at('2026-02-15')
    expect(expiryOf({ ...item, activeAt: at('2026-01-15') }, month, undefined)).toEqual({
      expirable: true,
      expiresAt: end,
      expiryDueAt: end,
    })
  })

  it('when the staff says, whatever the product and the subscription say', () => {
    const override = at('2030-01-01')
    const expiry = { expirable: true, expiresAt: override, expiryDueAt: override }
    expect(expiryOf({ ...period, overrideExpiresAt: override }, month, { periodEnd: null, renews: true })).toEqual(
      expiry,
    )
    expect(expiryOf({ ...item, overrideExpiresAt: override }, undefined, undefined)).toEqual(expiry)
  })

  it('with the paid period of its subscription, a day later while another one is expected', () => {
    const end = at('2026-02-01')
    const ending = { expirable: true, expiresAt: end, expiryDueAt: end }
    expect(expiryOf(period, month, { periodEnd: end, renews: false })).toEqual(ending)
    const renewing = { ...ending, expiryDueAt: at('2026-02-02') }
    expect(expiryOf(period, month, { periodEnd: end, renews: true })).toEqual(renewing)
    // The order has arrived before any event of its subscription.
    expect(expiryOf(period, undefined, { periodEnd: null, renews: true })).toEqual(renewing)
    expect(expiryOf(period, undefined, undefined)).toEqual(renewing)
  })

  it.each([
    ['of the same period, which the provider has moved', '2026-02-03', '2026-02-03'],
    ['of a later period', '2026-03-01', '2026-03-01'],
    ['of an earlier period, whose event arrives late', '2026-01-01', '2026-02-01'],
    ['of an earlier period that overlaps a little', '2026-01-03', '2026-02-01'],
  ])('with the end that the subscription reports, if it is %s', (_, reported, expected) => {
    const expiry = expiryOf(period, undefined, { periodEnd: at(reported), renews: false })
    expect(expiry.expiresAt).toEqual(at(expected))
  })
})

describe('an interval', () => {
  it.each([
    [10, 'day', '2026-01-25', '2026-02-04'],
    [2, 'week', '2026-02-20', '2026-03-06'],
    [1, 'month', '2026-01-31', '2026-02-28'],
    [1, 'month', '2028-01-31', '2028-02-29'],
    [13, 'month', '2026-12-31', '2028-01-31'],
  ] as const)('of %d %s after %s ends on %s', (value, scale, start, end) => {
    expect(after(at(start), { value, scale })).toEqual(at(end))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stage } from '../../domain/stage.ts'
import type { Item } from './item.ts'
import { successionOf } from './succession.ts'

type Period = Pick<Item, 'id' | 'state' | 'subscriptionLine' | 'quantityIndex' | 'periodStart'>

function periodOf(number: number, fields: Partial<Period> = {}): Period {
  const periodStart = new Date(Date.UTC(2026, number, 1))
  return { id: String(number), state: 'active', subscriptionLine: 1, quantityIndex: 0, periodStart, ...fields }
}

/** Applies periods in an order of arrival. @returns the states by period, and the stages that ran */
function arrive(order: readonly number[]): { states: string[]; ran: Stage[] } {
  const items: Period[] = []
  const ran: Stage[] = []
  for (const number of order) {
    const item = periodOf(number)
    items.push(item)
    const { renewed, isRenewed, runs } = successionOf(item, items)
    if (isRenewed) item.state = 'renewed'
    if (renewed) renewed.state = 'renewed'
    if (runs) ran.push(runs.stage)
  }
  return { states: items.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ state }) => state), ran }
}

describe('the periods of a subscription', () => {
  it('run on_purchase once, then on_renew for each further one, in any order of arrival', () => {
    const inOrder = arrive([0, 1, 2, 3])
    expect(inOrder).toEqual({
      states: ['renewed', 'renewed', 'renewed', 'active'],
      ran: ['on_purchase', 'on_renew', 'on_renew', 'on_renew'],
    })
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        expect(arrive(order)).toEqual(inOrder)
      }),
    )
  })

  it('run the commands of a late period with the item that the customer owns', () => {
    const [first, second] = [periodOf(0), periodOf(1)]
    expect(successionOf(first, [second])).toEqual({
      renewed: undefined,
      isRenewed: true,
      runs: { item: second, stage: 'on_renew' },
    })
    expect(successionOf(first, [{ ...second, state: 'revoked' }]).runs).toBeUndefined()
  })

  it('run on_purchase again after the item has expired or was revoked', () => {
    for (const state of ['used', 'revoked'] as const) {
      const { renewed, runs } = successionOf(periodOf(1), [periodOf(0, { state })])
      expect([renewed, runs?.stage]).toEqual([undefined, 'on_purchase'])
    }
  })

  it('belong to the same line and unit', () => {
    for (const other of [periodOf(0, { subscriptionLine: 2 }), periodOf(0, { quantityIndex: 1 })]) {
      expect(successionOf(periodOf(1), [other]).renewed).toBeUndefined()
    }
  })
})

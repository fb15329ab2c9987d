import { describe, expect, it } from 'vitest'
import type { Item } from './item.ts'
import { refundedUnits } from './refunded-units.ts'

type Unit = Pick<Item, 'id' | 'orderLine' | 'quantityIndex' | 'state' | 'revokeReason'>

function unit(orderLine: number, quantityIndex: number, fields: Partial<Unit> = {}): Unit {
  return {
    id: `${orderLine}.${quantityIndex}`,
    orderLine,
    quantityIndex,
    state: 'active',
    revokeReason: null,
    ...fields,
  }
}

const units = [unit(1, 0), unit(1, 1), unit(1, 2), unit(2, 0)]
const refund = (items: readonly Unit[], lines: [position: number, quantity: number][], isFull = false) =>
  refundedUnits(items, { isFull, lines: lines.map(([position, quantity]) => ({ position, quantity })) }).map(
    ({ id }) => id,
  )

describe('a refund takes back', () => {
  it('the named number of units of each named line, the last ones first', () => {
    expect(refund(units, [[1, 2]])).toEqual(['1.2', '1.1'])
    expect(
      refund(units, [
        [1, 1],
        [2, 1],
      ]),
    ).toEqual(['1.2', '2.0'])
  })

  it('nothing if it is a partial refund of an amount', () => {
    expect(refund(units, [])).toEqual([])
  })

  it('everything if it is full, also what has expired', () => {
    const expired = [...units.slice(1), unit(1, 0, { state: 'used' })]
    expect(refund(expired, [], true)).toHaveLength(4)
  })

  it('no unit twice', () => {
    const refunded = units.with(2, unit(1, 2, { state: 'revoked', revokeReason: 'refund' }))
    expect(refund(refunded, [[1, 1]])).toEqual(['1.1'])
    expect(refund(refunded, [], true)).toEqual(['1.0', '1.1', '2.0'])
    const chargedBack = units.map((one): Unit => ({ ...one, state: 'revoked', revokeReason: 'chargeback' }))
    expect(refund(chargedBack, [], true)).toEqual([])
  })

  it('first the units that the staff has revoked', () => {
    const revoked = units.with(0, unit(1, 0, { state: 'revoked', revokeReason: 'manual' }))
    expect(refund(revoked, [[1, 1]])).toEqual(['1.0'])
    expect(refund(revoked, [[1, 2]])).toEqual(['1.0', '1.2'])
  })

  it('nothing of a period that was renewed', () => {
    expect(refund([unit(1, 0, { state: 'renewed' })], [[1, 1]], true)).toEqual([])
  })
})

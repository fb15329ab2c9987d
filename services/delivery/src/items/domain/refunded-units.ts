import type { Item } from './item.ts'

export interface RefundedLine {
  /** Position of the line in the order, starting at 1. */
  position: number
  quantity: number
}

type Unit = Pick<Item, 'id' | 'orderLine' | 'quantityIndex' | 'state' | 'revokeReason'>

/**
 * The items of an order that a refund takes back: all of a full refund, and of each line that a partial refund names as many units
 * as it names. A partial refund of an amount takes nothing back (contract "Delivery").
 *
 * A unit that the staff has revoked counts first, because its refund usually follows, and is returned so that its reason changes.
 * Then the last units of the line. A period of a subscription that was renewed is over, so its refund takes nothing back.
 *
 * @param items all items of the order
 */
export function refundedUnits<U extends Unit>(
  items: readonly U[],
  refund: { isFull: boolean; lines: readonly RefundedLine[] },
): U[] {
  const open = items.filter(({ state, revokeReason }) => state !== 'renewed' && isRefundable(state, revokeReason))
  if (refund.isFull) return open
  return refund.lines.flatMap(({ position, quantity }) =>
    open
      .filter(({ orderLine }) => orderLine === position)
      .toSorted(
        (a, b) => Number(b.state === 'revoked') - Number(a.state === 'revoked') || b.quantityIndex - a.quantityIndex,
      )
      .slice(0, quantity),
  )
}

function isRefundable(state: Item['state'], reason: Item['revokeReason']): boolean {
  return state !== 'revoked' || reason === 'manual'
}

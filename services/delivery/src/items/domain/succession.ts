import type { Stage } from '../../domain/stage.ts'
import { type Item, isOwned } from './item.ts'

type Period = Pick<Item, 'id' | 'state' | 'subscriptionLine' | 'quantityIndex' | 'periodStart'>

/** What becomes of a new item of a subscription and its predecessor, and which commands run. */
export interface Succession<P extends Period> {
  /** The item of the period before, which the new item replaces. */
  renewed: P | undefined
  /** Whether a later period has arrived before: the new item is replaced from the start. */
  isRenewed: boolean
  /** The item whose commands of `stage` run. Undefined: none. */
  runs: { item: P; stage: Stage } | undefined
}

/**
 * Places a new item among the other periods of its line and unit. Orders can arrive in any order, and the result is the same:
 * the first period runs `on_purchase`, each further one `on_renew`.
 *
 * A renewal that finds no item to renew runs `on_purchase`: its period before has expired, was revoked, or has not arrived yet.
 * An order that arrives after a later one then runs `on_renew` with the item of the later period, in place of its `on_purchase` commands.
 *
 * @param others all items of the subscription; the new item may be among them
 */
export function successionOf<P extends Period>(item: P, others: readonly P[]): Succession<P> {
  const same = others.filter(
    (other) =>
      other.id !== item.id &&
      other.subscriptionLine === item.subscriptionLine &&
      other.quantityIndex === item.quantityIndex,
  )
  const start = (one: Period) => one.periodStart?.getTime() ?? 0
  const byStart = same.toSorted((a, b) => start(a) - start(b))
  const next = byStart.find((other) => start(other) > start(item))
  if (next) {
    const latest = byStart.at(-1)
    const runs = latest && isOwned(latest) ? { item: latest, stage: 'on_renew' as const } : undefined
    return { renewed: undefined, isRenewed: true, runs }
  }
  const previous = byStart.at(-1)
  const renewed = previous && isOwned(previous) ? previous : undefined
  return { renewed, isRenewed: false, runs: { item, stage: renewed ? 'on_renew' : 'on_purchase' } }
}

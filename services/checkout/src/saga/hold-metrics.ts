import type { Runtime } from '@storekeep/common/service'
import { countHolds } from '../db/coupon-hold-repository.ts'

/** Exports how many slots are under way and how old the oldest is: one that grows old cannot be given back. */
export function exportHolds({ metrics, database, clock }: Pick<Runtime, 'metrics' | 'database' | 'clock'>): void {
  const count = metrics.gauge(
    'checkout_coupon_holds',
    'Slots of coupons that are being taken or given back, by state.',
    undefined,
    ['state'],
  )
  metrics.gauge('checkout_coupon_hold_oldest_seconds', 'Age of the oldest of them.', async () => {
    const groups = await countHolds(database).catch(() => undefined)
    if (!groups) return Number.NaN
    for (const state of ['reserving', 'releasing']) {
      count.set({ state }, groups.find((group) => group.state === state)?.count ?? 0)
    }
    const oldest = Math.min(...groups.map((group) => group.oldest.getTime()))
    return groups.length === 0 ? 0 : (clock.now().getTime() - oldest) / 1000
  })
}

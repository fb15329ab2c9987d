import type { AppContext } from '../context.ts'
import { countHolds } from '../sessions/db/coupon-reservation-repository.ts'

/**
 * Exports how many slots are under way and how old the oldest is: one that grows old cannot be given back.
 * @returns measures anew
 */
export function exportHolds({ metrics, database, clock }: Pick<AppContext, 'metrics' | 'database' | 'clock'>) {
  const help = 'Coupon reservations that checkout is making or releasing, by state.'
  const count = metrics.gauge('checkout_coupon_reservations', help, undefined, ['state'])
  const age = metrics.gauge(
    'checkout_coupon_reservation_oldest_age_seconds',
    'Age of the oldest coupon reservation that checkout is making or releasing.',
  )
  return async () => {
    const groups = await countHolds(database)
    for (const state of ['reserving', 'releasing']) {
      count.set({ state }, groups.find((group) => group.state === state)?.count ?? 0)
    }
    const now = clock.now().getTime()
    age.set(Math.max(0, ...groups.map(({ oldest }) => (now - oldest.getTime()) / 1000)))
  }
}

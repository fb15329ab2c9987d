import type { AppContext } from '../../context.ts'
import { countReservations } from '../db/coupon-reservation-repository.ts'

/**
 * Exports how many coupon reservations are in progress and the age of the oldest one, which grows when reservations
 * cannot be released.
 * @returns updates the metrics
 */
export function exportReservations({ metrics, database, clock }: Pick<AppContext, 'metrics' | 'database' | 'clock'>) {
  const help = 'Coupon reservations that are not settled with a session, by state.'
  const count = metrics.gauge('checkout_coupon_reservations', help, undefined, ['state'])
  const age = metrics.gauge(
    'checkout_coupon_reservation_oldest_age_seconds',
    'Age of the oldest coupon reservation that is not settled with a session.',
  )
  return async () => {
    const groups = await countReservations(database)
    for (const state of ['reserving', 'releasing']) {
      count.set({ state }, groups.find((group) => group.state === state)?.count ?? 0)
    }
    const now = clock.now().getTime()
    age.set(Math.max(0, ...groups.map(({ oldest }) => (now - oldest.getTime()) / 1000)))
  }
}

import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { z } from 'zod'

const names = ['open', 'completed', 'canceled', 'expired'] as const

export const checkoutStatus = z.enum(names).meta({ id: 'CheckoutSessionStatusDto' })

export const checkoutStatusValues = {
  open: CheckoutSessionStatus.OPEN,
  completed: CheckoutSessionStatus.COMPLETED,
  canceled: CheckoutSessionStatus.CANCELED,
  expired: CheckoutSessionStatus.EXPIRED,
} as const satisfies Record<(typeof names)[number], CheckoutSessionStatus>

export function checkoutStatusName(status: CheckoutSessionStatus): (typeof names)[number] {
  const known = names.find((name) => checkoutStatusValues[name] === status)
  if (!known) throw new Error(`A service answered the status ${status}, which has no public name.`)
  return known
}

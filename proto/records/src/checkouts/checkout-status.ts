import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'

const names = ['open', 'completed', 'canceled', 'expired'] as const

export const checkoutStatus = z.enum(names).meta({
  id: 'CheckoutSessionStatusDto',
  description: '`open` until the session is paid, canceled, or expired after 24 hours.',
})

export const checkoutStatusValues = {
  open: CheckoutSessionStatus.OPEN,
  completed: CheckoutSessionStatus.COMPLETED,
  canceled: CheckoutSessionStatus.CANCELED,
  expired: CheckoutSessionStatus.EXPIRED,
} as const satisfies Record<(typeof names)[number], CheckoutSessionStatus>

export function checkoutStatusName(status: CheckoutSessionStatus): (typeof names)[number] {
  return nameOf(checkoutStatusValues, status)
}

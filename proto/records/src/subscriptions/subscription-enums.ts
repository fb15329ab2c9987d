import { CancellationReason, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

export const subscriptionStatusValues = {
  active: SubscriptionStatus.ACTIVE,
  past_due: SubscriptionStatus.PAST_DUE,
  canceled: SubscriptionStatus.CANCELED,
} as const

export const subscriptionStatus = z.enum(namesOf(subscriptionStatusValues)).meta({
  id: 'SubscriptionStatusDto',
  description: '`past_due` after a renewal payment failed; the payment provider may try again. `canceled` is final.',
})

export const cancellationReasonValues = {
  requested: CancellationReason.REQUESTED,
  banned: CancellationReason.BANNED,
  payment_failed: CancellationReason.PAYMENT_FAILED,
} as const

export const cancellationReason = z.enum(namesOf(cancellationReasonValues)).meta({
  id: 'CancellationReasonDto',
  description:
    '`requested` by the customer, by your staff or at the payment provider; `banned`: the customer is banned; ' +
    '`payment_failed`: the provider stopped trying to collect a renewal.',
})

import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import {
  subscriptionDto,
  subscriptionDtoSchema,
  subscriptionExample,
} from '@storekeep/records/subscriptions/subscription-dto'
import type { z } from 'zod'
import { ownLine, ownLineSchema } from './own-order-dto.ts'

export const ownSubscriptionDtoSchema = subscriptionDtoSchema
  .omit({ checkout_id: true, coupon_id: true, customer_id: true, provider_reference: true, store_id: true })
  .extend({ lines: ownLineSchema.array().describe('The lines that renew.') })
  .meta({ id: 'StorefrontSubscriptionDto', description: 'A subscription of the signed-in customer.' })

type OwnSubscriptionDto = z.input<typeof ownSubscriptionDtoSchema>

/** A subscription as its customer may see it. */
export function ownSubscriptionDto(subscription: Subscription): OwnSubscriptionDto {
  return withoutStaffFields(subscriptionDto(subscription))
}

function withoutStaffFields({
  checkout_id,
  coupon_id,
  customer_id,
  lines,
  provider_reference,
  store_id,
  ...subscription
}: z.input<typeof subscriptionDtoSchema>): OwnSubscriptionDto {
  return { ...subscription, lines: lines.map(ownLine) }
}

export const ownSubscriptionExample = withoutStaffFields(subscriptionExample)

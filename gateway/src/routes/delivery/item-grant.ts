import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { buyerAnswers } from '../checkouts/buyer-answers.ts'

const { quantity } = deliveryLimits

const fields = {
  product_id: flakeId
    .nullish()
    .describe('The product, in its latest version. Exactly one of `product_id` and `product_version_id` is required.'),
  product_version_id: flakeId.nullish().describe('The product in this version.'),
  execute_on_gameserver_id: flakeId
    .nullish()
    .describe("The game server that runs the commands. Default: the product's servers."),
  quantity: int32(1, quantity).nullish().describe(`Number of items, 1 to ${quantity}. Default: 1.`),
  override_expires_at: timeInput.nullish().describe('When the items expire, instead of the expiry of the product.'),
  skip_commands: z
    .boolean()
    .nullish()
    .describe('Hands the items out without running any command, now or later. Default: false.'),
  custom_variables: buyerAnswers.nullish().describe('Answers to the custom variables of the product, by identifier.'),
}

export const itemGrant = z
  .object(fields)
  .meta({ id: 'CreateDeliveryItemDto', description: 'Items of one product for a customer, without an order.' })

export const customerItemGrant = z
  .object({ customer_id: flakeId.describe('The customer who receives the items.'), ...fields })
  .meta({ id: 'BulkCreateDeliveryItemDto', description: 'Items of one product for a customer, without an order.' })

/** The grant as the delivery service expects it. */
export function itemGrantMessage(customerId: string, grant: z.output<typeof itemGrant>) {
  return present({
    customerId,
    productId: grant.product_id,
    productVersionId: grant.product_version_id,
    executeOnGameserverId: grant.execute_on_gameserver_id,
    quantity: grant.quantity ?? 1,
    overrideExpiresAt: grant.override_expires_at && timestampFromDate(grant.override_expires_at),
    skipCommands: grant.skip_commands ?? false,
    customVariables: grant.custom_variables ?? {},
  })
}

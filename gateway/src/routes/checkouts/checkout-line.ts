import { present } from '@storekeep/common/message'
import { z } from 'zod'
import { crossField } from '../../schemas/cross-field.ts'
import { flakeId, int32, metadata, text } from '../../schemas/fields.ts'
import { newProduct } from '../products/product-fields.ts'
import { productTerms } from '../products/product-input.ts'
import { buyerAnswers } from './buyer-answers.ts'
import { payoutSplitMessage, payoutSplits } from './payout-splits.ts'

const giftPlatforms = [
  'steam',
  'minecraft',
  'minecraft_uuid',
  'minecraft_java_name',
  'minecraft_bedrock_name',
  'xbox_xuid',
] as const

/** What is bought, how often and for whom. */
export const checkoutLine = z
  .object({
    quantity: int32(1, 1000),
    product_id: flakeId.nullish().meta({ description: 'Either this or `inline_product`.' }),
    inline_product: newProduct.nullish().meta({ description: 'What is no product of the store.' }),
    subscription: z.boolean().nullish().meta({ description: 'Not with a gift.' }),
    trial: z.boolean().nullish().meta({ description: 'Only with a subscription.' }),
    gift_to: z
      .object({ platform: z.enum(giftPlatforms), id: text(1, 64) })
      .nullish()
      .meta({ description: 'A player, who becomes a customer unless they are one.' }),
    gift_to_customer_id: flakeId.nullish().meta({ description: 'Either this or `gift_to`.' }),
    selected_gameserver_id: flakeId.nullish(),
    custom_variables: buyerAnswers.nullish(),
    metadata: metadata.nullish(),
    payout_splits: payoutSplits.nullish(),
  })
  .refine(
    ({ product_id, inline_product }) => product_id != null || inline_product != null,
    crossField('product_id', 'required', 'is required unless there is an inline_product'),
  )
  .refine(
    ({ product_id, inline_product }) => product_id == null || inline_product == null,
    crossField('inline_product', 'exclusive', 'must not come with a product_id'),
  )
  .refine(
    ({ gift_to, gift_to_customer_id: id }) => gift_to == null || id == null,
    crossField('gift_to_customer_id', 'exclusive', 'must not come with gift_to'),
  )
  .refine(
    ({ subscription, gift_to }) => subscription !== true || gift_to == null,
    crossField('gift_to', 'exclusive', 'must not come with a subscription'),
  )
  .refine(
    ({ subscription, gift_to_customer_id: id }) => subscription !== true || id == null,
    crossField('gift_to_customer_id', 'exclusive', 'must not come with a subscription'),
  )
  .meta({ id: 'CreateCheckoutSessionLineDto' })

/** The line as the checkout service takes it. */
export function checkoutLineMessage(line: z.output<typeof checkoutLine>) {
  return present({
    quantity: line.quantity,
    item: itemMessage(line),
    subscription: line.subscription,
    trial: line.trial,
    recipient: recipientMessage(line),
    selectedGameserverId: line.selected_gameserver_id,
    customVariables: line.custom_variables ?? {},
    metadata: line.metadata ?? {},
    payoutSplits: (line.payout_splits ?? []).map(payoutSplitMessage),
  })
}

function itemMessage({ product_id, inline_product }: z.output<typeof checkoutLine>) {
  return inline_product
    ? { case: 'inlineProduct' as const, value: productTerms(inline_product) }
    : { case: 'productId' as const, value: product_id ?? '' }
}

function recipientMessage({ gift_to, gift_to_customer_id }: z.output<typeof checkoutLine>) {
  if (gift_to) return { case: 'giftTo' as const, value: gift_to }
  return gift_to_customer_id ? { case: 'giftToCustomerId' as const, value: gift_to_customer_id } : undefined
}

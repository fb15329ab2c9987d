import { present } from '@storekeep/common/message'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, int32, metadata, metadataText, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { crossField } from '../../schemas/cross-field.ts'
import { inlineProduct } from '../products/product-fields.ts'
import { productTerms } from '../products/product-input.ts'
import { isUnsupported } from '../products/unsupported-fields.ts'
import { buyerAnswers } from './buyer-answers.ts'
import { payoutSplitMessage, payoutSplits } from './payout-splits.ts'

const giftPlatforms = [
  'service',
  'service_name',
  'steam',
  'minecraft',
  'minecraft_uuid',
  'minecraft_java_name',
  'minecraft_bedrock_name',
  'xbox_xuid',
  'paynow',
  'paynow_name',
] as const

/** Names of platforms in the original interface, and ours. */
const giftPlatformAliases: Record<string, string> = { paynow: 'service', paynow_name: 'service_name' }

const giftTo = z
  .object({
    platform: z
      .enum(giftPlatforms)
      .meta({ id: 'GiftPlatformDto', description: "Kind of identity of a gift's recipient." })
      .describe(
        'What `id` is. `service`: a customer id; `service_name`: the `name` of a customer; `minecraft`: a Java or ' +
          'Bedrock name; otherwise the identity that the platform names. ' +
          '`paynow` and `paynow_name` are other names of `service` and `service_name`.',
      ),
    id: text(1, checkoutLimits.giftIdLength).describe('Identity of the recipient on that platform.'),
  })
  .meta({ id: 'GiftToDto', description: 'The recipient of a gift.' })

/**
 * One line of an order. Only checks that the proto cannot express compare two fields here, because each pair
 * is a oneof; the checkout service enforces all other rules.
 */
export const checkoutLine = z
  .object({
    quantity: int32(1, checkoutLimits.quantity).describe(`Number of units, 1 to ${checkoutLimits.quantity}.`),
    product_id: flakeId
      .nullish()
      .describe('Product to buy. Exactly one of `product_id` and `inline_product` is required.'),
    inline_product: inlineProduct.nullish().describe('A product that is not stored, defined for this line only.'),
    subscription: z
      .boolean()
      .nullish()
      .describe('Buys the product as a subscription instead of once. Cannot be combined with a gift.'),
    trial: z
      .boolean()
      .refine((isWanted) => !isWanted, isUnsupported('omit it, or send null or false'))
      .nullish()
      .describe('Trials are not supported yet: true is rejected with the item code `unsupported`.'),
    gift_to: giftTo
      .nullish()
      .describe(
        'The recipient. Created as a customer if unknown, except with the platforms `service` and `service_name`.',
      ),
    gift_to_customer_id: flakeId
      .nullish()
      .describe('The recipient, by customer id. Cannot be combined with `gift_to`.'),
    selected_gameserver_id: flakeId
      .nullish()
      .describe(
        'Game server to deliver to: an enabled one of the `gameservers` of the product or, if it has none, of the store. ' +
          'Required for a product with `single_game_server_only`.',
      ),
    custom_variables: buyerAnswers.nullish().describe('Answers to the custom variables of the product, by identifier.'),
    metadata: metadata.nullish().describe(metadataText),
    payout_splits: payoutSplits.nullish().describe('How the income of the line is shared between payout accounts.'),
  })
  .refine(
    ({ product_id, inline_product }) => product_id == null || inline_product == null,
    crossField('inline_product', 'exclusive', 'cannot be combined with product_id'),
  )
  .refine(
    ({ gift_to, gift_to_customer_id: id }) => gift_to == null || id == null,
    crossField('gift_to_customer_id', 'exclusive', 'cannot be combined with gift_to'),
  )
  .meta({ id: 'CreateCheckoutSessionLineDto', description: 'What to buy, how many, and for whom.' })

/** The recipient of a gift in a response. */
export const printedGiftTo = z
  .object({
    platform: z.string().describe('What `id` is.'),
    id: z.string().describe('Identity of the recipient on that platform.'),
  })
  .meta({ id: 'GiftRecipientDto', description: 'The recipient of a gift, by an account.' })

/** A line of a cart as the checkout service expects it. */
export function cartLineMessage(line: z.output<typeof checkoutLine> & { product_id: string }) {
  const { quantity, subscription, recipient, selectedGameserverId, customVariables } = checkoutLineMessage(line)
  return present({
    productId: line.product_id,
    quantity,
    subscription,
    recipient,
    selectedGameserverId,
    customVariables,
  })
}

/** The line as the checkout service expects it. */
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
  if (inline_product) return { case: 'inlineProduct' as const, value: productTerms(inline_product) }
  return product_id ? { case: 'productId' as const, value: product_id } : undefined
}

function recipientMessage({ gift_to, gift_to_customer_id }: z.output<typeof checkoutLine>) {
  if (gift_to) {
    const platform = giftPlatformAliases[gift_to.platform] ?? gift_to.platform
    return { case: 'giftTo' as const, value: { ...gift_to, platform } }
  }
  return gift_to_customer_id ? { case: 'giftToCustomerId' as const, value: gift_to_customer_id } : undefined
}

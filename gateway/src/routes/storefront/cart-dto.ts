import type { Cart, CartLine } from '@storekeep/proto/checkout/v1/carts_service'
import { flakeId, int32, int64, stringMap } from '@storekeep/records/schemas/fields'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { imageCopyUrl } from '../../image-copy.ts'
import { printedGiftTo } from '../checkouts/checkout-line.ts'

const problemSchema = z
  .object({
    code: z
      .string()
      .describe(
        '`product-unavailable` for a product that was deleted or is not on sale, or an item code of a checkout, such as ' +
          '`product-out-of-stock` or `required`.',
      ),
    field: z.string().describe('The field of the line: `product_id`, `custom_variables.color`.'),
    message: z.string().describe('The problem in English.'),
  })
  .meta({ id: 'CartProblemDto', description: 'Why a line of a cart cannot be bought now.' })

const lineSchema = z
  .object({
    product_id: flakeId.describe('The product.'),
    quantity: int32(1).describe('Number of units.'),
    subscription: z.boolean().describe('Whether the product is bought as a subscription.'),
    gift_to: printedGiftTo.nullable().describe('The recipient of a gift, by an account.'),
    gift_to_customer_id: flakeId.nullable().describe('The recipient of a gift, by customer id.'),
    selected_gameserver_id: flakeId.nullable().describe('Game server to deliver to.'),
    custom_variables: stringMap.describe('Answers to the custom variables of the product, by identifier.'),
    name: z.string().nullable().describe('Name of the product; null if it is unavailable, as the next fields.'),
    slug: z.string().nullable().describe('Slug of the product.'),
    image_url: z.string().nullable().describe('Copy of the image of the product, as WebP of at most 256 pixels.'),
    unit_price: int64(0)
      .nullable()
      .describe('Price of one unit now, including the chosen options; null if an answer is invalid, too.'),
    total_amount: int64(0).nullable().describe('Price of the line before discounts.'),
    problem: problemSchema.nullable().describe('Why the line cannot be bought now; null if it can.'),
  })
  .meta({ id: 'CartLineDto', description: 'One line of a cart, with its current price.' })

export const cartDtoSchema = z
  .object({
    lines: z.array(lineSchema).describe('The lines, as they were set.'),
    subtotal_amount: int64(0).describe('Sum of the lines without a problem, before discounts and taxes.'),
    currency: z.string().describe('Currency of all amounts: lower-case ISO 4217.'),
    updated_at: dateTime.nullable().describe('When the lines were last set; null for a cart that was never used.'),
  })
  .meta({ id: 'CartDto', description: 'The cart of the signed-in customer. It reserves nothing.' })

type CartDto = z.input<typeof cartDtoSchema>

export function cartDto(ctx: Pick<GatewayContext, 'config'>, storeId: string, cart: Cart | undefined): CartDto {
  if (!cart) throw new Error('A service returned no cart.')
  return {
    lines: cart.lines.map((line) => lineDto(line, imageCopyUrl(ctx, storeId, line.imageUrl, 256))),
    subtotal_amount: Number(cart.subtotalAmount),
    currency: cart.currency,
    updated_at: printTime(cart.updatedAt),
  }
}

function lineDto(line: CartLine, imageUrl: string | undefined): z.input<typeof lineSchema> {
  const { input, problem } = line
  if (!input) throw new Error('A service returned no line.')
  const { recipient } = input
  return {
    product_id: input.productId,
    quantity: input.quantity,
    subscription: input.subscription,
    gift_to: recipient.case === 'giftTo' ? { platform: recipient.value.platform, id: recipient.value.id } : null,
    gift_to_customer_id: recipient.case === 'giftToCustomerId' ? recipient.value : null,
    selected_gameserver_id: input.selectedGameserverId ?? null,
    custom_variables: { ...input.customVariables },
    name: line.name ?? null,
    slug: line.slug ?? null,
    image_url: imageUrl ?? null,
    unit_price: line.unitPrice === undefined ? null : Number(line.unitPrice),
    total_amount: line.totalAmount === undefined ? null : Number(line.totalAmount),
    problem: problem ? { code: problem.code, field: problem.field, message: problem.message } : null,
  }
}

export const cartExample: CartDto = {
  lines: [
    {
      product_id: '411486491630370832',
      quantity: 2,
      subscription: false,
      gift_to: null,
      gift_to_customer_id: null,
      selected_gameserver_id: null,
      custom_variables: { color: 'red' },
      name: 'VIP rank',
      slug: 'vip-rank',
      image_url: 'https://checkout.example.com/images/411486491596816384/IzzjyEl3G2BIaB3rezq8Ew/256.webp',
      unit_price: 1099,
      total_amount: 2198,
      problem: null,
    },
  ],
  subtotal_amount: 2198,
  currency: 'eur',
  updated_at: '2026-11-20T14:35:17.000Z',
}

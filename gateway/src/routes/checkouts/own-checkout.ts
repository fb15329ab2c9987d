import { addressGroup, type Limit } from '@storekeep/common/http'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { crossField } from '../../schemas/cross-field.ts'
import { newCheckoutSession } from './checkout-input.ts'
import { checkoutLine } from './checkout-line.ts'

const { quantity, subscription, trial, gift_to, gift_to_customer_id, selected_gameserver_id, custom_variables } =
  checkoutLine.shape
const { promo_codes, affiliate_code, return_url, cancel_url, auto_redirect, editable, customer_details } =
  newCheckoutSession.shape

/** What a customer may choose. Products that are not stored, their prices, and who gets the income are up to the store. */
export const ownLine = z
  .object({
    product_id: flakeId.describe('Product to buy.'),
    quantity,
    subscription,
    trial,
    gift_to,
    gift_to_customer_id,
    selected_gameserver_id,
    custom_variables,
  })
  .refine(
    ({ gift_to: to, gift_to_customer_id: id }) => to == null || id == null,
    crossField('gift_to_customer_id', 'exclusive', 'cannot be combined with gift_to'),
  )
  .meta({ id: 'CreateOwnCheckoutLineDto', description: 'What to buy, how many, and for whom.' })

const order = { promo_codes, affiliate_code, return_url, cancel_url, auto_redirect, customer_details }

export const ownCheckout = z
  .object({
    lines: z.array(ownLine).min(1).max(checkoutLimits.lines).describe(`1 to ${checkoutLimits.lines} lines to buy.`),
    ...order,
    editable,
  })
  .meta({ id: 'CreateOwnCheckoutDto', description: 'A new checkout session of the signed-in customer.' })

/** Body of a checkout of the cart. */
export const cartCheckout = z
  .object(order)
  .meta({ id: 'CheckOutCartDto', description: 'How the customer pays for the cart.' })

/** A session can reserve coupons and stock, and anyone can sign in with a typed name. */
export function ownCheckoutLimits(
  { config }: GatewayContext,
  { customer, peerAddress }: { customer: Customer; peerAddress: string },
): Limit[] {
  const { checkoutAddressPerMinute, checkoutCustomerPerMinute } = config.limits
  const group = 'checkout'
  return [
    { group, policy: 'checkout-address', key: addressGroup(peerAddress), quota: checkoutAddressPerMinute },
    { group, policy: 'checkout-customer', key: `${customer.storeId}:${customer.id}`, quota: checkoutCustomerPerMinute },
  ]
}

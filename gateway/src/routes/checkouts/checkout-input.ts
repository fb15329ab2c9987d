import { present } from '@storekeep/common/message'
import { checkoutLimits, couponLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, metadata, metadataText, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { webAddress } from '../../schemas/web-address.ts'
import { checkoutLine, checkoutLineMessage } from './checkout-line.ts'
import { customerDetails, customerDetailsMessage } from './customer-details.ts'

export const newCheckoutSession = z
  .object({
    lines: z
      .array(checkoutLine)
      .min(1)
      .max(checkoutLimits.lines)
      .describe(`1 to ${checkoutLimits.lines} lines to buy.`),
    customer_id: flakeId.describe('The customer who buys.'),
    coupon_id: flakeId.nullish().describe('Coupon to apply, instead of a coupon code in `promo_codes`.'),
    promo_codes: z
      .array(text(1, couponLimits.codeLength))
      .max(checkoutLimits.promoCodes)
      .nullish()
      .describe(
        'Coupon and affiliate codes: at most one coupon and one affiliate link. An invalid code fails the request.',
      ),
    affiliate_code: z.string().nullish().describe('Affiliate code. An invalid code is ignored.'),
    return_url: webAddress.nullish().describe('Where the customer is sent after paying.'),
    cancel_url: webAddress.nullish().describe('Where the customer is sent after canceling.'),
    auto_redirect: z
      .boolean()
      .nullish()
      .describe('Redirects to `return_url` right after the payment. Requires `return_url`.'),
    editable: z
      .boolean()
      .nullish()
      .describe('Whether the customer may change quantities and remove lines on the checkout page. Default: false.'),
    metadata: metadata.nullish().describe(metadataText),
    customer_details: customerDetails.nullish().describe('Billing details of the customer.'),
  })
  .meta({ id: 'CreateCheckoutSessionManagementDto', description: 'A new checkout session.' })

/** The body as the checkout service expects it. */
export function checkoutSessionMessage(body: z.output<typeof newCheckoutSession>) {
  return present({
    ...checkoutOrderMessage(body),
    customerId: body.customer_id,
    lines: body.lines.map(checkoutLineMessage),
    couponId: body.coupon_id,
    editable: body.editable,
    metadata: body.metadata ?? {},
  })
}

/** What a customer decides besides the lines, as the checkout service expects it. */
export function checkoutOrderMessage(body: OrderBody) {
  return present({
    promoCodes: body.promo_codes ?? [],
    affiliateCode: body.affiliate_code,
    returnUrl: body.return_url,
    cancelUrl: body.cancel_url,
    autoRedirect: body.auto_redirect,
    customerDetails: body.customer_details && customerDetailsMessage(body.customer_details),
  })
}

type OrderBody = Pick<
  z.output<typeof newCheckoutSession>,
  'promo_codes' | 'affiliate_code' | 'return_url' | 'cancel_url' | 'auto_redirect' | 'customer_details'
>

export const newCheckoutSessionExample: z.input<typeof newCheckoutSession> = {
  lines: [
    { quantity: 2, product_id: '411486491630370832' },
    { quantity: 1, inline_product: { name: 'VIP rank', price: 999, allow_one_time_purchase: true } },
  ],
  customer_id: '411486491630370816',
  return_url: 'https://shop.example.com/thanks',
  auto_redirect: true,
  customer_details: { billing_email: 'robin@example.com', billing_address: { country: 'DE' } },
}

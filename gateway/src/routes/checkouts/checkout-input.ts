import { present } from '@storekeep/common/message'
import { z } from 'zod'
import { crossField } from '../../schemas/cross-field.ts'
import { flakeId, metadata, text } from '../../schemas/fields.ts'
import { webAddress } from '../../schemas/web-address.ts'
import { checkoutLine, checkoutLineMessage } from './checkout-line.ts'
import { customerDetails, customerDetailsMessage } from './customer-details.ts'

/** Body of a create. */
export const newCheckoutSession = z
  .object({
    lines: z.array(checkoutLine).min(1).max(100),
    customer_id: flakeId,
    coupon_id: flakeId.nullish(),
    promo_codes: z.array(text(1, 64)).max(10).nullish().meta({
      description: 'Codes of one coupon and one affiliate link at most. One that cannot be used fails the request.',
    }),
    affiliate_code: z
      .string()
      .nullish()
      .meta({ description: 'Code of an affiliate link. One that cannot be used is passed over.' }),
    return_url: webAddress.nullish().meta({ description: 'Where the customer goes when all is paid.' }),
    cancel_url: webAddress.nullish().meta({ description: 'Where the customer goes who does not pay.' }),
    auto_redirect: z.boolean().nullish().meta({ description: 'Goes to `return_url` without asking.' }),
    metadata: metadata.nullish(),
    customer_details: customerDetails.nullish(),
  })
  .refine(
    ({ auto_redirect, return_url }) => auto_redirect !== true || return_url != null,
    crossField('return_url', 'required', 'is required with auto_redirect'),
  )
  .meta({ id: 'CreateCheckoutSessionManagementDto' })

/** The body as the checkout service takes it. */
export function checkoutSessionMessage(body: z.output<typeof newCheckoutSession>) {
  return present({
    customerId: body.customer_id,
    lines: body.lines.map(checkoutLineMessage),
    couponId: body.coupon_id,
    promoCodes: body.promo_codes ?? [],
    affiliateCode: body.affiliate_code,
    returnUrl: body.return_url,
    cancelUrl: body.cancel_url,
    autoRedirect: body.auto_redirect,
    metadata: body.metadata ?? {},
    customerDetails: body.customer_details && customerDetailsMessage(body.customer_details),
  })
}

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

import type { MessageInitShape } from '@bufbuild/protobuf'
import { clearField, clone } from '@bufbuild/protobuf'
import { present, timestampOrAbsent } from '@storekeep/common/message'
import {
  type CartLineInput,
  type CartLineInputSchema,
  type CartSchema,
  type CheckOutCartRequest,
  CheckOutCartRequestSchema,
} from '@storekeep/proto/checkout/v1/carts_service'
import { detailsFromProto, recipientFromProto } from '../sessions/mappers.ts'
import type { CartLine, CartOrder } from './domain/cart.ts'
import type { PricedCart } from './domain/priced-cart.ts'

export function cartLineFromProto(line: CartLineInput): CartLine {
  return {
    productId: line.productId,
    quantity: line.quantity,
    subscription: line.subscription,
    recipient: recipientFromProto(line.recipient) ?? null,
    selectedGameserverId: line.selectedGameserverId ?? null,
    customVariables: line.customVariables,
  }
}

export function cartOrderFromProto(request: CheckOutCartRequest): CartOrder {
  const { promoCodes, affiliateCode, returnUrl, cancelUrl, autoRedirect = false, customerDetails } = request
  return {
    promoCodes,
    affiliateCode,
    returnUrl,
    cancelUrl,
    autoRedirect,
    customerDetails: customerDetails ? detailsFromProto(customerDetails) : null,
    customerIp: request.customerIp,
    customerCountry: request.customerCountry,
  }
}

/** The part of the request that an Idempotency-Key is bound to: the customer's address may change before a retry. */
export function keyedPart(request: CheckOutCartRequest): CheckOutCartRequest {
  const keyed = clone(CheckOutCartRequestSchema, request)
  clearField(keyed, CheckOutCartRequestSchema.field.customerIp)
  clearField(keyed, CheckOutCartRequestSchema.field.customerCountry)
  return keyed
}

export function cartToProto(cart: PricedCart): MessageInitShape<typeof CartSchema> {
  return present({
    lines: cart.lines.map(({ line, problem, ...priced }) =>
      present({
        ...priced,
        input: lineToProto(line),
        problem: problem && { code: problem.code, field: problem.path, message: problem.message },
      }),
    ),
    subtotalAmount: cart.subtotalAmount,
    currency: cart.currency,
    updatedAt: timestampOrAbsent(cart.updatedAt),
  })
}

function lineToProto({ recipient, ...rest }: CartLine): MessageInitShape<typeof CartLineInputSchema> {
  return present({ ...rest, recipient: recipient ? recipientToProto(recipient) : undefined })
}

function recipientToProto(recipient: NonNullable<CartLine['recipient']>) {
  return recipient.kind === 'account'
    ? { case: 'giftTo' as const, value: recipient.account }
    : { case: 'giftToCustomerId' as const, value: recipient.customerId }
}

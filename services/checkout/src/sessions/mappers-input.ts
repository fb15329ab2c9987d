import { clearField, clone } from '@bufbuild/protobuf'
import {
  type CheckoutLineInput,
  type CreateCheckoutSessionRequest,
  CreateCheckoutSessionRequestSchema,
} from '@storekeep/proto/checkout/v1/checkout_service'
import type { CustomerDetails as ProtoDetails } from '@storekeep/proto/checkout/v1/checkout_session'
import { termsFromProto } from '../products/mappers.ts'
import type { CheckoutInput, LineInput } from './domain/checkout-input.ts'
import type { CustomerDetails } from './domain/checkout-session.ts'

export function checkoutFromProto(request: CreateCheckoutSessionRequest): CheckoutInput {
  const { $typeName, $unknown, lines, autoRedirect = false, customerDetails, ...rest } = request
  return {
    customerId: rest.customerId,
    lines: lines.map(lineFromProto),
    couponId: rest.couponId,
    promoCodes: rest.promoCodes,
    affiliateCode: rest.affiliateCode,
    returnUrl: rest.returnUrl,
    cancelUrl: rest.cancelUrl,
    autoRedirect,
    metadata: rest.metadata,
    customerDetails: customerDetails ? detailsFromProto(customerDetails) : null,
    customerIp: rest.customerIp,
  }
}

/** What an Idempotency-Key is tied to: all but the address of the customer, who may move between two attempts. */
export function keyedPart(request: CreateCheckoutSessionRequest): CreateCheckoutSessionRequest {
  const keyed = clone(CreateCheckoutSessionRequestSchema, request)
  clearField(keyed, CreateCheckoutSessionRequestSchema.field.customerIp)
  return keyed
}

function lineFromProto(line: CheckoutLineInput): LineInput {
  return {
    quantity: line.quantity,
    item: itemFromProto(line.item),
    subscription: line.subscription ?? false,
    trial: line.trial ?? false,
    recipient: recipientFromProto(line.recipient),
    selectedGameserverId: line.selectedGameserverId,
    customVariables: line.customVariables,
    metadata: line.metadata,
    payoutSplits: line.payoutSplits.map(({ payoutId, percentage, platformFee }) => ({
      payoutId,
      percentage,
      platformFee,
    })),
  }
}

function itemFromProto(item: CheckoutLineInput['item']): LineInput['item'] {
  switch (item.case) {
    case 'productId':
      return { kind: 'product', productId: item.value }
    case 'inlineProduct':
      return { kind: 'inline', terms: termsFromProto(item.value) }
    case undefined:
      return undefined
  }
}

function recipientFromProto(recipient: CheckoutLineInput['recipient']): LineInput['recipient'] {
  switch (recipient.case) {
    case 'giftTo':
      return { kind: 'account', account: { platform: recipient.value.platform, id: recipient.value.id } }
    case 'giftToCustomerId':
      return { kind: 'customer', customerId: recipient.value }
    case undefined:
      return undefined
  }
}

function detailsFromProto({ billingName, billingEmail, billingTaxId, billingAddress }: ProtoDetails): CustomerDetails {
  return {
    billingName: billingName ?? null,
    billingEmail: billingEmail ?? null,
    billingTaxId: billingTaxId ?? null,
    billingAddress: billingAddress
      ? {
          country: billingAddress.country ?? null,
          state: billingAddress.state ?? null,
          city: billingAddress.city ?? null,
          postalCode: billingAddress.postalCode ?? null,
          line1: billingAddress.line1 ?? null,
          line2: billingAddress.line2 ?? null,
        }
      : null,
  }
}

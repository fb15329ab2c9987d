import { clearField, clone, type MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type CheckoutLineInput,
  type CreateCheckoutSessionRequest,
  CreateCheckoutSessionRequestSchema,
  type ListCheckoutSessionsRequest,
  type CheckoutPayment as ProtoPayment,
} from '@storekeep/proto/checkout/v1/checkout_service'
import {
  type CheckoutLineSchema,
  type CheckoutSessionSchema,
  type CustomerDetailsSchema,
  type CustomerDetails as ProtoDetails,
  CheckoutSessionStatus as ProtoStatus,
  TaxIdCheck as ProtoTaxIdCheck,
  type TaxSchema,
} from '@storekeep/proto/checkout/v1/checkout_session'
import { scaleToProto, termsFromProto, termsToProto } from '../products/mappers.ts'
import type { SessionRow } from './db/schema.ts'
import type { CheckoutInput, LineInput } from './domain/checkout-input.ts'
import type { CheckoutPayment } from './domain/checkout-payment.ts'
import { type CheckoutLine, type CustomerDetails, type SessionStatus, statusAt } from './domain/checkout-session.ts'
import type { FilterInput } from './domain/session-filter.ts'
import type { SessionTax, TaxIdCheck } from './domain/tax-terms.ts'

export function checkoutFromProto(request: CreateCheckoutSessionRequest): CheckoutInput {
  const { $typeName, $unknown, lines, autoRedirect = false, editable = false, customerDetails, ...rest } = request
  return {
    customerId: rest.customerId,
    lines: lines.map(lineFromProto),
    couponId: rest.couponId,
    promoCodes: rest.promoCodes,
    affiliateCode: rest.affiliateCode,
    returnUrl: rest.returnUrl,
    cancelUrl: rest.cancelUrl,
    autoRedirect,
    editable,
    metadata: rest.metadata,
    customerDetails: customerDetails ? detailsFromProto(customerDetails) : null,
    customerIp: rest.customerIp,
    customerCountry: rest.customerCountry,
  }
}

/** The part of the request that an Idempotency-Key is bound to: the customer's address may change before a retry. */
export function keyedPart(request: CreateCheckoutSessionRequest): CreateCheckoutSessionRequest {
  const keyed = clone(CreateCheckoutSessionRequestSchema, request)
  clearField(keyed, CreateCheckoutSessionRequestSchema.field.customerIp)
  clearField(keyed, CreateCheckoutSessionRequestSchema.field.customerCountry)
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
    cartKey: undefined,
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

export function recipientFromProto(recipient: CheckoutLineInput['recipient']): LineInput['recipient'] {
  switch (recipient.case) {
    case 'giftTo':
      return { kind: 'account', account: { platform: recipient.value.platform, id: recipient.value.id } }
    case 'giftToCustomerId':
      return { kind: 'customer', customerId: recipient.value }
    case undefined:
      return undefined
  }
}

export function detailsFromProto({
  billingName,
  billingEmail,
  billingTaxId,
  billingAddress,
}: ProtoDetails): CustomerDetails {
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

export function filterFromProto({ status, customerId }: ListCheckoutSessionsRequest): FilterInput {
  return { status: enumFromProto(statusToProto, status), customerId }
}

export function paymentFromProto(payment: ProtoPayment | undefined): CheckoutPayment | null {
  if (!payment) return null
  const { paymentId, orderId, amount, currency } = payment
  return { paymentId, orderId, amount, currency }
}

/** @param now decides whether an open session has expired */
export function sessionToProto(row: SessionRow, now: Date): MessageInitShape<typeof CheckoutSessionSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    status: statusToProto[statusAt(row, now)],
    currency: row.currency,
    lines: row.lines.map((line) => lineToProto(line, row.tax)),
    couponId: row.couponId,
    couponVersionId: row.couponVersionId,
    couponCode: row.couponCode,
    affiliateLinkId: row.affiliateLinkId,
    tax: row.tax && taxToProto(row.tax),
    subtotalAmount: row.subtotalAmount,
    couponDiscountAmount: row.couponDiscountAmount,
    affiliateDiscountAmount: row.affiliateDiscountAmount,
    discountAmount: row.couponDiscountAmount + row.affiliateDiscountAmount,
    totalAmount: row.totalAmount,
    returnUrl: row.returnUrl,
    cancelUrl: row.cancelUrl,
    autoRedirect: row.autoRedirect,
    editable: row.editable,
    metadata: row.metadata,
    customerDetails: row.customerDetails && detailsToProto(row.customerDetails),
    expiresAt: timestampFromDate(row.expiresAt),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    completedAt: timestampOrAbsent(row.completedAt),
    canceledAt: timestampOrAbsent(row.canceledAt),
    version: BigInt(row.version),
    paymentId: row.paymentId,
    orderId: row.orderId,
    redemptionId: row.redemptionId,
    subscription:
      row.subscription && present({ ...row.subscription, intervalScale: scaleToProto[row.subscription.intervalScale] }),
  })
}

export function taxToProto({ evidence, ...tax }: SessionTax): MessageInitShape<typeof TaxSchema> {
  const taxIdCheck = checkToProto[evidence.taxIdCheck]
  return present({ ...tax, evidence: present({ ...evidence, taxIdCheck }) })
}

function lineToProto(line: CheckoutLine, tax: SessionTax | null): MessageInitShape<typeof CheckoutLineSchema> {
  return present({
    productId: line.productId,
    name: line.name,
    imageUrl: line.imageUrl,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    optionsAmount: line.optionsAmount,
    discountAmount: line.discountAmount,
    totalAmount: line.totalAmount,
    netAmount: line.netAmount,
    taxAmount: line.taxAmount,
    taxRate: tax?.rate,
    taxName: tax?.name,
    subscription: line.subscription,
    trial: line.trial,
    giftToCustomerId: line.giftToCustomerId,
    selectedGameserverId: line.selectedGameserverId,
    customVariables: line.customVariables,
    answeredVariables: line.answeredVariables.map(present),
    metadata: line.metadata,
    payoutSplits: line.payoutSplits.map(({ payoutId, percentage, platformFee }) =>
      present({
        payoutId,
        percentage: percentage === null ? null : BigInt(percentage),
        platformFee: platformFee === null ? null : BigInt(platformFee),
      }),
    ),
    inlineProduct: line.inlineProduct && termsToProto(line.inlineProduct),
    productVersionId: line.productVersionId,
    gameServerChoice: line.rules?.gameServerIds ? { gameServerIds: [...line.rules.gameServerIds] } : null,
  })
}

function detailsToProto({ billingAddress, ...rest }: CustomerDetails): MessageInitShape<typeof CustomerDetailsSchema> {
  return present({ ...rest, billingAddress: billingAddress && present(billingAddress) })
}

const checkToProto = {
  none: ProtoTaxIdCheck.UNSPECIFIED,
  invalid: ProtoTaxIdCheck.INVALID,
  well_formed: ProtoTaxIdCheck.WELL_FORMED,
  confirmed: ProtoTaxIdCheck.CONFIRMED,
  unconfirmed: ProtoTaxIdCheck.UNCONFIRMED,
} as const satisfies Record<TaxIdCheck, ProtoTaxIdCheck>

const statusToProto = {
  open: ProtoStatus.OPEN,
  completed: ProtoStatus.COMPLETED,
  canceled: ProtoStatus.CANCELED,
  expired: ProtoStatus.EXPIRED,
} as const satisfies Record<SessionStatus, ProtoStatus>

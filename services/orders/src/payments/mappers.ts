import type { MessageInitShape } from '@bufbuild/protobuf'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type PaymentSchema,
  PaymentProvider as ProtoProvider,
  PaymentSettlement as ProtoSettlement,
  PaymentStatus as ProtoStatus,
} from '@storekeep/proto/orders/v1/payment'
import type {
  ListPaymentsRequest,
  PaymentSettingsSchema,
  UpdatePaymentSettingsRequest,
} from '@storekeep/proto/orders/v1/payments_service'
import type { FilterInput } from '../domain/list-filter.ts'
import type { Payment, PaymentSettlement, PaymentStatus, ProviderName } from './domain/payment.ts'
import type { PaymentFilter } from './domain/payment-filter.ts'
import { enabledProviders, type PaymentSettings, type SettingsInput } from './domain/payment-settings.ts'

export function paymentToProto(payment: Payment): MessageInitShape<typeof PaymentSchema> {
  return present({
    id: payment.id,
    storeId: payment.storeId,
    checkoutId: payment.checkoutId,
    customerId: payment.customerId,
    provider: providerToProto[payment.provider],
    providerReference: payment.providerReference,
    status: paymentStatusToProto[payment.status],
    settlement: settlementToProto[payment.settlement],
    amount: payment.amount,
    currency: payment.currency,
    orderId: payment.orderId,
    failureReason: payment.failureReason,
    createdAt: timestampFromDate(payment.createdAt),
    succeededAt: timestampOrAbsent(payment.succeededAt),
  })
}

/** Never returns a secret. */
export function settingsToProto(
  settings: PaymentSettings,
  isTestAllowed: boolean,
): MessageInitShape<typeof PaymentSettingsSchema> {
  return present({
    enabledProviders: enabledProviders(settings, isTestAllowed).map((provider) => providerToProto[provider]),
    manualInstructions: settings.manualInstructions,
    hasStripeSecretKey: settings.stripeSecretKey !== null,
    hasStripeWebhookSecret: settings.stripeWebhookSecret !== null,
    banOnChargeback: settings.banOnChargeback,
  })
}

export function settingsFromProto(request: UpdatePaymentSettingsRequest): SettingsInput {
  return {
    enabledProviders: request.enabledProviders?.providers.map(providerFromProto),
    manualInstructions: request.manualInstructions,
    stripeSecretKey: request.stripeSecretKey,
    stripeWebhookSecret: request.stripeWebhookSecret,
    banOnChargeback: request.banOnChargeback,
  }
}

export function providerFromProto(provider: ProtoProvider): ProviderName | 'invalid' {
  return enumFromProto(providerToProto, provider)
}

export function paymentFilterFromProto(request: ListPaymentsRequest): FilterInput<PaymentFilter> {
  const { checkoutId, status, customerId, billingEmail: email } = request
  const checkout = checkoutId === '' ? undefined : checkoutId
  return { checkoutId: checkout, status: enumFromProto(paymentStatusToProto, status), customerId, email }
}

export const providerToProto = {
  test: ProtoProvider.TEST,
  manual: ProtoProvider.MANUAL,
  stripe: ProtoProvider.STRIPE,
  free: ProtoProvider.FREE,
} as const satisfies Record<ProviderName, ProtoProvider>

const paymentStatusToProto = {
  pending: ProtoStatus.PENDING,
  processing: ProtoStatus.PROCESSING,
  succeeded: ProtoStatus.SUCCEEDED,
  failed: ProtoStatus.FAILED,
  canceled: ProtoStatus.CANCELED,
} as const satisfies Record<PaymentStatus, ProtoStatus>

const settlementToProto = {
  none: ProtoSettlement.NONE,
  pending: ProtoSettlement.PENDING,
  completed: ProtoSettlement.COMPLETED,
  refunding: ProtoSettlement.REFUNDING,
  refunded: ProtoSettlement.REFUNDED,
} as const satisfies Record<PaymentSettlement, ProtoSettlement>

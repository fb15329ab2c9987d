import type { MessageInitShape } from '@bufbuild/protobuf'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { EmailKind } from '@storekeep/proto/conventions/email-kinds'
import { type EmailSchema, EmailStatus as ProtoStatus } from '@storekeep/proto/emails/v1/email'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { type Subscription, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { EmailKind as ProtoKind } from '@storekeep/proto/stores/v1/store'
import type { ChangedSubscription, PaidOrder } from './domain/causes.ts'
import type { Email, EmailStatus } from './domain/email.ts'

/** @param recipient the address; undefined before the first attempt, and in events */
export function emailToProto(row: Email, recipient?: string): MessageInitShape<typeof EmailSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    kind: kindToProto[row.kind],
    status: statusToProto[row.status],
    customerId: row.customerId,
    orderId: row.orderId,
    subscriptionId: row.subscriptionId,
    recipient,
    locale: row.locale,
    messageId: row.messageId,
    attempts: row.attempts,
    nextAttemptAt: row.isInFlight ? undefined : timestampOrAbsent(row.dueAt),
    failureReason: row.failureReason,
    resendOf: row.resendOf,
    createdAt: timestampFromDate(row.createdAt),
    endedAt: timestampOrAbsent(row.endedAt),
    version: BigInt(row.version),
  })
}

/** The email in events, which are kept where personal data cannot be deleted one by one. A mail server can quote anything. */
export function emailInEvent(row: Email): MessageInitShape<typeof EmailSchema> {
  return emailToProto({ ...row, failureReason: null })
}

export function paidOrderFromProto(order: Order): PaidOrder {
  const { id, storeId, customerId, subscriptionId = null, renewal } = order
  const giftsTo = order.lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? [])
  return { id, storeId, customerId, subscriptionId, renewal, giftsTo }
}

export function changedSubscriptionFromProto(subscription: Subscription): ChangedSubscription {
  const { id, storeId, customerId, cancelAtPeriodEnd, paidPeriods } = subscription
  const status = enumFromProto(subscriptionStatusToProto, subscription.status)
  return { id, storeId, customerId, status, cancelAtPeriodEnd, paidPeriods }
}

export function isDisabled(kind: EmailKind, disabled: readonly ProtoKind[]): boolean {
  return disabled.includes(kindToProto[kind])
}

const kindToProto = {
  receipt: ProtoKind.RECEIPT,
  refund: ProtoKind.REFUND,
  gift_received: ProtoKind.GIFT_RECEIVED,
  subscription_renewed: ProtoKind.SUBSCRIPTION_RENEWED,
  payment_failed: ProtoKind.PAYMENT_FAILED,
  subscription_ending: ProtoKind.SUBSCRIPTION_ENDING,
} as const satisfies Record<EmailKind, ProtoKind>

const statusToProto = {
  pending: ProtoStatus.PENDING,
  sent: ProtoStatus.SENT,
  bounced: ProtoStatus.BOUNCED,
  failed: ProtoStatus.FAILED,
  suppressed: ProtoStatus.SUPPRESSED,
} as const satisfies Record<EmailStatus, ProtoStatus>

const subscriptionStatusToProto = {
  active: SubscriptionStatus.ACTIVE,
  past_due: SubscriptionStatus.PAST_DUE,
  canceled: SubscriptionStatus.CANCELED,
} as const satisfies Record<Exclude<ChangedSubscription['status'], 'invalid'>, SubscriptionStatus>

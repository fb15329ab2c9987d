import type Stripe from 'stripe'
import type { DisputeStatus, PaymentReport } from '../../payments/domain/payment.ts'
import type { SubscriptionReport, SubscriptionStatus } from '../../subscriptions/domain/subscription.ts'
import type { ProviderEvent, RefundReport, ReportedPayment } from './provider.ts'
import { fromStripeAmount } from './stripe-amounts.ts'

/** The key under which Stripe's objects name the payment of Storekeep that they belong to. */
export const paymentMetadata = 'storekeep_payment_id'

/**
 * What an event of Stripe reports; undefined if it is not about a payment of Storekeep, or changes nothing.
 * @param reader reads what the event does not contain
 */
export async function readEvent(event: Stripe.Event, reader: StripeReader): Promise<ProviderEvent | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
      if (event.data.object.mode === 'setup') return ofMethod(event.data.object)
      return ofSession(event.data.object, await reportOfSession(event.data.object, reader))
    case 'checkout.session.expired':
      return ofSession(event.data.object, await reportOfSession(event.data.object, reader))
    case 'checkout.session.async_payment_succeeded':
      return ofSession(event.data.object, await succeeded(event.data.object, reader))
    case 'checkout.session.async_payment_failed':
      return ofSession(event.data.object, {
        status: 'failed',
        providerReference: idOf(event.data.object.payment_intent),
      })
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return await ofDispute(event.data.object, event.type === 'charge.dispute.closed', reader)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return ofSubscription(subscriptionOf(event.data.object))
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return ofSubscription(event.data.object.id)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return await ofRefund(event.data.object, reader)
    default:
      return undefined
  }
}

/** A session is complete once the shopper has finished; with a delayed method, the money arrives or fails days later. */
export async function reportOfSession(session: Stripe.Checkout.Session, reader: StripeReader): Promise<PaymentReport> {
  const providerReference = idOf(session.payment_intent)
  if (session.status === 'expired') return { status: 'canceled', providerReference }
  if (session.status !== 'complete') return { status: 'pending', providerReference }
  if (session.payment_status !== 'unpaid') return await succeeded(session, reader)
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  const subscription = typeof session.subscription === 'string' ? null : session.subscription
  const hasFailed =
    intent?.status === 'requires_payment_method' ||
    intent?.status === 'canceled' ||
    subscription?.status === 'incomplete_expired'
  return { status: hasFailed ? 'failed' : 'processing', providerReference }
}

export function statusOfRefund({
  id,
  status,
  failure_reason,
}: Stripe.Refund): RefundReport & { providerReference: string } {
  if (status === 'failed' || status === 'canceled') {
    return { status: 'failed', providerReference: id, failureReason: failure_reason ?? status }
  }
  return { status: status === 'succeeded' ? 'succeeded' : 'pending', providerReference: id }
}

async function succeeded(session: Stripe.Checkout.Session, { paymentOf }: StripeReader): Promise<PaymentReport> {
  const { amount_total, currency, subscription } = session
  return {
    status: 'succeeded',
    providerReference: await referenceOfSession(session, paymentOf),
    providerSubscription: idOf(subscription),
    amount: amount_total === null || currency === null ? undefined : fromStripeAmount(amount_total, currency),
    currency: currency ?? undefined,
  }
}

/** The payment intent of a paid session. The first payment of a subscription belongs to its first invoice. */
export async function referenceOfSession(
  { payment_intent, invoice }: Stripe.Checkout.Session,
  paymentOf: StripeReader['paymentOf'],
): Promise<string | undefined> {
  const invoiceId = idOf(invoice)
  return idOf(payment_intent) ?? (invoiceId === undefined ? undefined : await paymentOf(invoiceId))
}

/** What an event does not contain. */
export interface StripeReader {
  /** The metadata of a payment intent. */
  metadataOf(paymentIntent: string): Promise<Stripe.Metadata>
  /** The payment intent of a paid invoice; undefined if nothing was due, or Stripe does not name it yet. */
  paymentOf(invoice: string): Promise<string | undefined>
  /** The invoice of a payment intent. */
  invoiceOf(paymentIntent: string): Promise<Stripe.Invoice | undefined>
}

/** The key under which the session of a new payment method names the subscription at Stripe. */
export const subscriptionMetadata = 'storekeep_subscription'

function ofMethod({ metadata, setup_intent }: Stripe.Checkout.Session): ProviderEvent | undefined {
  const reference = metadata?.[subscriptionMetadata]
  const setup = idOf(setup_intent)
  return reference === undefined || setup === undefined ? undefined : { kind: 'method', reference, setup }
}

function ofSubscription(reference: string | undefined): ProviderEvent | undefined {
  return reference === undefined ? undefined : { kind: 'subscription', reference }
}

/** @param invoice of our version, or of one before 2025-03-31, in which the invoice itself names the subscription */
function subscriptionOf(invoice: Stripe.Invoice & Pick<OldInvoice, 'subscription'>): string | undefined {
  return idOf(invoice.parent?.subscription_details?.subscription ?? invoice.subscription ?? null)
}

interface OldInvoice {
  subscription?: string | { id: string } | null
}

/** Whether an event is about a subscription but does not name it in any place that known API versions use. */
export function isUnknownShape(event: Stripe.Event): boolean {
  if (event.type !== 'invoice.paid' && event.type !== 'invoice.payment_failed') return false
  const { object } = event.data
  return (object.billing_reason?.startsWith('subscription') ?? false) && subscriptionOf(object) === undefined
}

/**
 * The state of a subscription at Stripe.
 * @param invoices its paid invoices
 */
export function reportOfSubscription(
  { status, cancel_at_period_end, cancellation_details }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): SubscriptionReport {
  const first = invoices.find(({ billing_reason }) => billing_reason === 'subscription_create')
  return {
    status: statusOfSubscription(status),
    cancelAtPeriodEnd: cancel_at_period_end,
    reason: cancellation_details?.reason === 'payment_failed' ? 'payment_failed' : 'requested',
    first: first && periodOf(first),
    renewals: invoices
      .filter(({ billing_reason }) => billing_reason === 'subscription_cycle')
      .map((invoice) => ({
        ...periodOf(invoice),
        reference: invoice.id,
        paymentReference: paymentIntentOf(invoice) ?? null,
        amount: fromStripeAmount(invoice.amount_paid, invoice.currency),
        currency: invoice.currency,
      })),
  }
}

function statusOfSubscription(status: Stripe.Subscription['status']): SubscriptionStatus {
  switch (status) {
    case 'active':
    case 'trialing':
      return 'active'
    case 'canceled':
    case 'incomplete_expired':
      return 'canceled'
    default:
      return 'past_due'
  }
}

/** The subscription line has the longest period; one-off items have a zero-length period. */
function periodOf({ lines, period_start, period_end }: Stripe.Invoice): { start: Date; end: Date } {
  const none = { start: period_start, end: period_end }
  const { start, end } = lines.data.reduce((latest, { period }) => (period.end > latest.end ? period : latest), none)
  return { start: new Date(start * 1000), end: new Date(end * 1000) }
}

/** The payment intent of the payment that has paid an invoice, whose `payments` are expanded. */
export function paymentIntentOf({ payments }: Stripe.Invoice): string | undefined {
  const paid = payments?.data.find(({ status }) => status === 'paid')
  return idOf(paid?.payment.payment_intent ?? null)
}

function ofSession({ metadata }: Stripe.Checkout.Session, report: PaymentReport): ProviderEvent | undefined {
  const paymentId = metadata?.[paymentMetadata]
  return paymentId === undefined ? undefined : { kind: 'payment', paymentId, report }
}

/** Inquiries (status `warning_*`) do not withdraw funds. */
async function ofDispute(
  { id, status, payment_intent }: Stripe.Dispute,
  isClosed: boolean,
  reader: StripeReader,
): Promise<ProviderEvent | undefined> {
  const intent = idOf(payment_intent)
  if (intent === undefined || status.startsWith('warning_')) return undefined
  const payment = await paymentOfIntent(intent, reader)
  if (payment === undefined) return undefined
  const outcome: DisputeStatus = isClosed && status === 'won' ? 'won' : isClosed && status === 'lost' ? 'lost' : 'open'
  return { kind: 'dispute', payment, report: { disputeReference: id, status: outcome } }
}

/** Payment intents of invoices lack our metadata; their subscription has it. */
async function paymentOfIntent(intent: string, reader: StripeReader): Promise<ReportedPayment | undefined> {
  const id = (await reader.metadataOf(intent))[paymentMetadata]
  if (id !== undefined) return { id }
  const invoice = await reader.invoiceOf(intent)
  const first = invoice?.parent?.subscription_details?.metadata?.[paymentMetadata]
  const subscription = invoice && subscriptionOf(invoice)
  if (first === undefined || subscription === undefined) return undefined
  return invoice?.billing_reason === 'subscription_create' ? { id: first } : { reference: intent, subscription }
}

/** Refunds without our metadata were made by the store on Stripe's dashboard, or by Stripe. */
async function ofRefund(refund: Stripe.Refund, reader: StripeReader): Promise<ProviderEvent | undefined> {
  const refundId = refund.metadata?.storekeep_refund_id
  if (refundId !== undefined) return { kind: 'refund', refundId, report: statusOfRefund(refund) }
  const intent = idOf(refund.payment_intent)
  const payment = intent === undefined ? undefined : await paymentOfIntent(intent, reader)
  if (!payment) return undefined
  const amount = fromStripeAmount(refund.amount, refund.currency)
  return { kind: 'made-refund', payment, report: { ...statusOfRefund(refund), amount } }
}

function idOf(object: string | { id: string } | null): string | undefined {
  return typeof object === 'string' ? object : object?.id
}

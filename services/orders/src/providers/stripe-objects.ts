import type Stripe from 'stripe'
import type { DisputeStatus, PaymentReport } from '../domain/payment.ts'
import type { ProviderEvent, RefundReport } from './provider.ts'

/** The key under which Stripe's objects name the payment of Storekeep that they belong to. */
export const paymentMetadata = 'storekeep_payment_id'

/**
 * What an event of Stripe reports; undefined if it is not about a payment of Storekeep, or changes nothing.
 * @param metadataOf reads the metadata of a payment intent
 */
export async function readEvent(
  event: Stripe.Event,
  metadataOf: (paymentIntent: string) => Promise<Stripe.Metadata>,
): Promise<ProviderEvent | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return ofSession(event.data.object, reportOfSession(event.data.object))
    case 'checkout.session.async_payment_succeeded':
      return ofSession(event.data.object, succeeded(event.data.object))
    case 'checkout.session.async_payment_failed':
      return ofSession(event.data.object, {
        status: 'failed',
        providerReference: idOf(event.data.object.payment_intent),
      })
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return await ofDispute(event.data.object, event.type === 'charge.dispute.closed', metadataOf)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return await ofRefund(event.data.object, metadataOf)
    default:
      return undefined
  }
}

/** A session is complete once the shopper has finished; with a delayed method, the money arrives or fails days later. */
export function reportOfSession(session: Stripe.Checkout.Session): PaymentReport {
  const providerReference = idOf(session.payment_intent)
  if (session.status === 'expired') return { status: 'canceled', providerReference }
  if (session.status !== 'complete') return { status: 'pending', providerReference }
  if (session.payment_status === 'paid') return succeeded(session)
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  const hasFailed = intent?.status === 'requires_payment_method' || intent?.status === 'canceled'
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

function succeeded({ payment_intent, amount_total, currency }: Stripe.Checkout.Session): PaymentReport {
  return {
    status: 'succeeded',
    providerReference: idOf(payment_intent),
    amount: amount_total === null ? undefined : BigInt(amount_total),
    currency: currency ?? undefined,
  }
}

function ofSession({ metadata }: Stripe.Checkout.Session, report: PaymentReport): ProviderEvent | undefined {
  const paymentId = metadata?.[paymentMetadata]
  return paymentId === undefined ? undefined : { kind: 'payment', paymentId, report }
}

/** Inquiries, whose states start with `warning_`, take no money back. */
async function ofDispute(
  { id, status, payment_intent }: Stripe.Dispute,
  isClosed: boolean,
  metadataOf: (paymentIntent: string) => Promise<Stripe.Metadata>,
): Promise<ProviderEvent | undefined> {
  const intent = idOf(payment_intent)
  if (intent === undefined || status.startsWith('warning_')) return undefined
  const paymentId = (await metadataOf(intent))[paymentMetadata]
  if (paymentId === undefined) return undefined
  const outcome: DisputeStatus = isClosed && status === 'won' ? 'won' : isClosed && status === 'lost' ? 'lost' : 'open'
  return { kind: 'dispute', paymentId, report: { disputeReference: id, status: outcome } }
}

/** Refunds without our metadata were made by the store on Stripe's dashboard, or by Stripe. */
async function ofRefund(
  refund: Stripe.Refund,
  metadataOf: (paymentIntent: string) => Promise<Stripe.Metadata>,
): Promise<ProviderEvent | undefined> {
  const refundId = refund.metadata?.storekeep_refund_id
  if (refundId !== undefined) return { kind: 'refund', refundId, report: statusOfRefund(refund) }
  const intent = idOf(refund.payment_intent)
  const paymentId = intent && (await metadataOf(intent))[paymentMetadata]
  if (!paymentId) return undefined
  return { kind: 'made-refund', paymentId, report: { ...statusOfRefund(refund), amount: BigInt(refund.amount) } }
}

function idOf(object: string | { id: string } | null): string | undefined {
  return typeof object === 'string' ? object : object?.id
}

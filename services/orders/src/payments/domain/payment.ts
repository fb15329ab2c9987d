/** Payment providers, in the order in which shoppers see them. `free` completes a total of 0 and is never chosen. */
export const offeredProviders = ['stripe', 'manual', 'test'] as const
export type OfferedProvider = (typeof offeredProviders)[number]
export type ProviderName = OfferedProvider | 'free'

/** Providers that can renew subscriptions. The money of a manual payment has to be sent by the shopper each time. */
const renewingProviders = ['stripe', 'test'] as const
export type RenewingProvider = (typeof renewingProviders)[number]

export function canRenew(provider: ProviderName): provider is RenewingProvider {
  return renewingProviders.some((one) => one === provider)
}

export const paymentStatuses = ['pending', 'processing', 'succeeded', 'failed', 'canceled'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** What happened to the money of a payment that succeeded. */
export type PaymentSettlement = 'none' | 'pending' | 'completed' | 'refunding' | 'refunded'

export type DisputeStatus = 'open' | 'won' | 'lost'

/** One attempt to pay a checkout session. */
export interface Payment {
  id: string
  storeId: string
  checkoutId: string
  customerId: string
  provider: ProviderName
  status: PaymentStatus
  settlement: PaymentSettlement
  /** Minor units; after a success, what was received. */
  amount: bigint
  currency: string
  /** What the provider needs to create the payment; null once it has. */
  request: PaymentRequest | null
  /** How the payment renews; null unless the session has subscription lines. */
  renewalTerms: RenewalTerms | null
  redirectUrl: string | null
  /** The provider's page for the payment; of a renewal, the invoice. */
  providerSession: string | null
  providerReference: string | null
  failureReason: string | null
  orderId: string | null
  /** See `actorText`. */
  markedPaidBy: string | null
  /** Whether the session was extended for a payment that takes days. */
  extended: boolean
  /** The subscription at the provider that the payment starts. */
  providerSubscription: string | null
  /** The subscription that the payment renews; null for a payment of a session. */
  renewalOf: string | null
  /** The latest dispute of the payer. */
  disputeReference: string | null
  disputeStatus: DisputeStatus | null
  createdAt: Date
  /** When the shopper last chose it: a payment can be started several times. */
  startedAt: Date
  /** The language in which the shopper read the page then, as a BCP 47 tag; null if it is not known. */
  locale: string | null
  succeededAt: Date | null
}

/** Repeated unchanged until the provider has created the payment, since it binds its idempotency key to these values. */
export interface PaymentRequest {
  /** What is sold, for the provider's page. */
  description: string
  successUrl: string
  cancelUrl: string
  email: string | null
  /** ISO 8601: when the session ends. */
  expiresAt: string
}

/** The length of every period of a subscription. */
export interface Interval {
  intervalValue: number
  intervalScale: 'day' | 'week' | 'month' | 'year'
}

/** A period of a subscription that was paid. */
export interface PaidPeriod {
  start: Date
  end: Date
  /** The invoice at the provider: each is recorded once. */
  reference: string
  /** The payment at the provider; null if nothing was due. */
  paymentReference: string | null
  /** What was received. */
  amount: bigint
  currency: string
}

/** What the provider needs to renew. Amounts are minor units, as text for JSON. */
export interface RenewalTerms extends Interval {
  /** The price of a period before discounts. */
  subtotal: string
  /** What the coupon deducts in each of its periods. */
  discount: string
  /** How many periods the coupon discounts, counting the first. Null: all. */
  discountedPeriods: number | null
}

/** The state of a payment as its provider reports it. */
export interface PaymentReport {
  status: PaymentStatus
  providerReference?: string | undefined
  /** What was received. */
  amount?: bigint | undefined
  currency?: string | undefined
  failureReason?: string | undefined
  markedPaidBy?: string | undefined
  providerSubscription?: string | undefined
}

/**
 * The changes that a report makes; undefined if it is outdated or repeated. Reports arrive twice and in any order, so only
 * a success, which means that money was received, changes a payment that has ended. A payment that ends is no longer created.
 */
export function applyReport(payment: Payment, report: PaymentReport, now: Date): Partial<Payment> | undefined {
  if (report.status === payment.status) return undefined
  const providerReference = report.providerReference ?? payment.providerReference
  const providerSubscription = report.providerSubscription ?? payment.providerSubscription
  if (report.status === 'succeeded') {
    return {
      status: 'succeeded',
      settlement: 'pending',
      amount: report.amount ?? payment.amount,
      currency: report.currency ?? payment.currency,
      providerReference,
      providerSubscription,
      failureReason: null,
      markedPaidBy: report.markedPaidBy ?? null,
      succeededAt: now,
    }
  }
  if (!isOpen(payment) || report.status === 'pending') return undefined
  const failureReason = report.status === 'failed' ? (report.failureReason ?? null) : null
  const ended = report.status === 'processing' ? {} : { request: null }
  return { status: report.status, providerReference, providerSubscription, failureReason, ...ended }
}

/** Whether the provider has no money yet, but may still receive it. */
export function isOpen({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'pending' || status === 'processing'
}

/**
 * The payment of a session that the shopper sees. Order of precedence, the latest start first within each:
 * 1. completed the session
 * 2. received, but not settled
 * 3. open: an ended payment never hides an open one, for which the shopper may have sent the money
 * 4. ended
 * @param payments the session's payments, oldest first
 */
export function currentPayment(payments: readonly Payment[]): Payment | undefined {
  const latestFirst = [...payments].reverse().sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
  return (
    latestFirst.find(({ settlement }) => settlement === 'completed') ??
    latestFirst.find(({ settlement }) => settlement === 'pending') ??
    latestFirst.find(isOpen) ??
    latestFirst[0]
  )
}

/** A dispute of the payer as the provider reports it. */
export interface DisputeReport {
  disputeReference: string
  status: DisputeStatus
}

/** The changes that a dispute makes; undefined if it is outdated or repeated. The end of a dispute may be reported first. */
export function applyDispute(payment: Payment, report: DisputeReport): Partial<Payment> | undefined {
  const isKnown = payment.disputeReference === report.disputeReference
  if (isKnown && (payment.disputeStatus === report.status || report.status === 'open')) return undefined
  return { disputeReference: report.disputeReference, disputeStatus: report.status }
}

/** Whether the payer has taken the money back, or is about to. */
export function isChargedBack({ disputeStatus }: Pick<Payment, 'disputeStatus'>): boolean {
  return disputeStatus === 'open' || disputeStatus === 'lost'
}

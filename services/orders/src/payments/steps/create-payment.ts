import { isDeepStrictEqual } from 'node:util'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import { foldedEmailOf } from '../../adapters/checkout-sessions.ts'
import type { PaymentProvider } from '../../adapters/providers/provider.ts'
import type { StoreProviders } from '../../adapters/providers/store-providers.ts'
import type { AppContext } from '../../context.ts'
import { cancelPayment, insertOrFindOpen, lockPayment, updatePayment } from '../db/payment-repository.ts'
import {
  applyReport,
  type Payment,
  type PaymentRequest,
  type ProviderName,
  type RenewalTerms,
} from '../domain/payment.ts'
import { nextAction, pollMs } from './delays.ts'

export interface PaymentToCreate {
  session: CheckoutSession
  provider: ProviderName
  renewalTerms: RenewalTerms | null
  successUrl: string
  cancelUrl: string
  locale: string | null
}

/**
 * Creates a payment of a prepared session, or continues the open payment at the same provider; `advance` then acts on it. The
 * payment is stored before the provider is called, so that repeated and concurrent calls create one payment there.
 * @throws ServiceFault `service-unavailable` if the provider cannot be reached
 */
export async function createPayment(
  ctx: AppContext,
  providers: StoreProviders,
  given: PaymentToCreate,
): Promise<Payment> {
  const provider = providers[given.provider]
  const payment = await openPayment(ctx, provider, given)
  if (payment.request === null) return payment
  const { providerSession = null, redirectUrl = null, report } = await provider.create(payment, payment.request)
  return await ctx.database.transaction(async (tx) => {
    const before = await lockPayment(tx, payment)
    // A concurrent call has stored it, or has canceled the payment.
    if (before.request === null) return before
    const now = ctx.clock.now()
    const providerReference = report.providerReference ?? before.providerReference
    const created = { request: null, providerSession, redirectUrl, providerReference }
    const after = { ...created, ...applyReport(before, report, now) }
    const isPolled = provider.read && (after.status ?? before.status) === 'pending'
    const nextAt = isPolled ? new Date(now.getTime() + pollMs) : nextAction({ ...before, ...after }, now)
    return await updatePayment(tx, before, after, nextAt)
  })
}

async function openPayment(
  ctx: AppContext,
  { close }: PaymentProvider,
  { session, provider, renewalTerms, locale, ...urls }: PaymentToCreate,
): Promise<Payment> {
  const createdAt = ctx.clock.now()
  const { storeId, id: checkoutId, customerId, currency, totalAmount: amount } = session
  const request = requestFor(session, urls, createdAt)
  const values = { amount, currency, request, renewalTerms, foldedEmail: foldedEmailOf(session), locale, createdAt }
  const payment = { storeId, checkoutId, customerId, provider, ...values }
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const found = await insertOrFindOpen(ctx.database, payment)
    if (found.amount === amount && isDeepStrictEqual(found.renewalTerms, renewalTerms)) return found
    // The price changed: expire the old provider page first (a retry repeats this); a payment already made there is refunded.
    await close?.(found)
    await cancelPayment(ctx.database, found)
  }
  throw errors.unavailable(new Error('the open payment of the session keeps changing'))
}

function requestFor(
  { lines, customerDetails, expiresAt }: CheckoutSession,
  urls: Pick<PaymentRequest, 'successUrl' | 'cancelUrl'>,
  now: Date,
): PaymentRequest {
  const [first] = lines
  const more = lines.length - 1
  const end = expiresAt ? timestampDate(expiresAt).getTime() : 0
  const latest = Math.min(Math.max(end, now.getTime() + shortestMs), now.getTime() + longestMs)
  return {
    description: more > 0 ? `${first?.name} and ${more} more` : (first?.name ?? ''),
    email: customerDetails?.billingEmail ?? null,
    expiresAt: new Date(latest).toISOString(),
    ...urls,
  }
}

/** The limits of providers for their pages are 30 minutes and 24 hours. */
const shortestMs = 31 * 60_000
const longestMs = 23 * 3_600_000

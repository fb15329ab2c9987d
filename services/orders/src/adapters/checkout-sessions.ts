import type { MessageInitShape } from '@bufbuild/protobuf'
import { isFault, unavailableIfInternal } from '@storekeep/common/errors'
import { type CallOptions, type Client, createClient, createGrpcTransport } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import { present } from '@storekeep/common/message'
import type { Metrics } from '@storekeep/common/telemetry'
import {
  CheckoutService,
  type DetermineTaxRequestSchema,
  type PreparePaymentRequestSchema,
} from '@storekeep/proto/checkout/v1/checkout_service'
import type { CheckoutSession, Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import type { Payment } from '../payments/domain/payment.ts'

/** The sessions of the checkout service. Every method throws `service-unavailable` if it cannot be reached. */
export type CheckoutSessions = ReturnType<typeof createCheckoutSessions>

function createCheckoutSessions(checkout: Client<typeof CheckoutService>) {
  return {
    /** @throws ServiceFault `not-found` */
    async findByToken(token: string, options: CallOptions): Promise<CheckoutSession> {
      return required(await orUnavailable(checkout.getCheckoutByToken({ token }, options)))
    },
    /** @throws ServiceFault `not-found`, `conflict` for a session that has ended, `customer-banned`, `validation-failed` */
    async prepare(
      request: MessageInitShape<typeof PreparePaymentRequestSchema>,
      options: CallOptions,
    ): Promise<CheckoutSession> {
      return required(await orUnavailable(checkout.preparePayment(request, options)))
    },
    /** @throws ServiceFault `not-found` */
    async get(checkoutId: string, options: CallOptions): Promise<CheckoutSession> {
      return required(await orUnavailable(checkout.getCheckoutSession({ checkoutId }, options)))
    },
    /** @returns undefined if the session has ended */
    async extend(checkoutId: string, options: CallOptions): Promise<CheckoutSession | undefined> {
      return await unlessEnded(orUnavailable(checkout.extendCheckoutSession({ checkoutId }, options)))
    },
    /** Whether the customer of a subscription is banned. */
    async isBanned(
      buyer: { customerId: string; billingEmail?: string | undefined },
      options: CallOptions,
    ): Promise<boolean> {
      return (await orUnavailable(checkout.checkBuyer(present(buyer), options))).isBanned
    },
    /** How a purchase without a session is taxed now; undefined if the store charges no taxes. */
    async determineTax(
      buyer: MessageInitShape<typeof DetermineTaxRequestSchema>,
      options: CallOptions,
    ): Promise<Tax | undefined> {
      return (await orUnavailable(checkout.determineTax(buyer, options))).tax
    },
    /**
     * Completes the session of a payment.
     * @param orderId the id for its order; the session returns the one of the first call
     * @returns undefined if the payment cannot complete it
     */
    async complete(
      { checkoutId, id: paymentId, amount, currency }: Payment,
      orderId: string,
      options: CallOptions,
    ): Promise<CheckoutSession | undefined> {
      const request = { checkoutId, payment: { paymentId, amount, currency, orderId } }
      return await unlessEnded(orUnavailable(checkout.completeCheckoutSession(request, options)))
    },
  }
}

/** Connects to the checkout service. */
export function connectCheckout(
  address: string,
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): { sessions: CheckoutSessions; close(): void } {
  const transport = createGrpcTransport({ to: 'checkout', address, identity, metrics })
  return { sessions: createCheckoutSessions(createClient(CheckoutService, transport)), close: transport.close }
}

/** The shopper's address, normalized for searches. */
export function foldedEmailOf({ customerDetails }: CheckoutSession): string | null {
  return parseEmailAddress(customerDetails?.billingEmail ?? '') ?? null
}

async function unlessEnded(
  response: Promise<{ session?: CheckoutSession | undefined }>,
): Promise<CheckoutSession | undefined> {
  try {
    return required(await response)
  } catch (error) {
    if (isFault(error, 'conflict', 'not-found')) return undefined
    throw error
  }
}

/** An error of checkout that the caller cannot fix becomes `service-unavailable`. */
async function orUnavailable<T>(response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    throw unavailableIfInternal(error)
  }
}

function required({ session }: { session?: CheckoutSession | undefined }): CheckoutSession {
  if (!session) throw new Error('checkout returned no session')
  return session
}

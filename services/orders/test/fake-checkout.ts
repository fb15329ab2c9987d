import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Clock } from '@storekeep/common/clock'
import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import {
  type CheckoutSessionSchema,
  CheckoutSessionStatus as Status,
  type TaxSchema,
} from '@storekeep/proto/checkout/v1/checkout_session'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'

/** A checkout service over real gRPC, for all tests of a file. Its sessions are completed as by the real one. */
export function useFakeCheckout(clock: () => Clock) {
  const sessions = new Map<string, FakeSession>()
  const fake = {
    outage: false,
    /** Runs before a session is completed. */
    beforeComplete: async () => {},
    /** Completes the session, but loses the response. */
    losesResponses: false,
    banned: new Set<string>(),
    /** How renewals are taxed, and the requests for it. */
    renewalTax: undefined as MessageInitShape<typeof TaxSchema> | undefined,
    taxRequests: [] as { billingCountry?: string | undefined; billingTaxId?: string | undefined }[],
    /** How often sessions were extended. */
    extensions: 0,
    /** @returns a new open session with one line of two units for 20.00 in total */
    add(storeId: string, fields: Partial<FakeSession> = {}): FakeSession {
      const createdAt = clock().now()
      const session = {
        id: randomId(),
        storeId,
        token: randomId(),
        customerId: randomId(),
        status: Status.OPEN,
        currency: 'eur',
        lines: [{ name: 'VIP rank', quantity: 2, unitPrice: 1000n, totalAmount: 2000n }],
        subtotalAmount: 2000n,
        affiliateDiscountAmount: 0n,
        totalAmount: 2000n,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + 24 * 3_600_000),
        ...fields,
      }
      sessions.set(session.id, session)
      return session
    },
    /**
     * @returns a new open session with a subscription for 10.00 a month
     * @param subscription how it renews
     */
    addSubscription(storeId: string, fields: Partial<FakeSession> = {}, subscription: object = {}): FakeSession {
      const line = { name: 'VIP', quantity: 1, unitPrice: 1000n, totalAmount: 1000n, subscription: true }
      const terms = { intervalValue: 1, intervalScale: IntervalScale.MONTH, ...subscription }
      const price = { subtotalAmount: 1000n, totalAmount: 1000n }
      return fake.add(storeId, { lines: [line], ...price, subscription: terms, ...fields })
    },
    get: (id: string) => sessions.get(id),
    /** Ends a session other than by a payment. */
    cancel: (id: string) => void Object.assign(sessions.get(id) ?? {}, { status: Status.CANCELED }),
  }

  const find = (id: string, { storeId }: Call) => {
    const session = sessions.get(id)
    if (fake.outage) throw errors.unavailable()
    if (!session || session.storeId !== storeId) throw errors.notFound('checkout session')
    return session
  }
  const byToken = (wanted: string) => [...sessions.values()].find(({ token }) => token === wanted)
  const statusOf = ({ status, expiresAt }: FakeSession) =>
    status === Status.OPEN && expiresAt <= clock().now() ? Status.EXPIRED : status
  const message = ({ token: _, createdAt, expiresAt, ...session }: FakeSession) => ({
    session: {
      ...session,
      status: statusOf({ ...session, token: '', createdAt, expiresAt }),
      createdAt: timestampFromDate(createdAt),
      expiresAt: timestampFromDate(expiresAt),
    },
  })
  const requireOpen = (session: FakeSession) => {
    if (statusOf(session) !== Status.OPEN) throw errors.conflict('The checkout session has ended.')
  }

  const service = useFakeService(CheckoutService, {
    async getCheckoutByToken({ token }) {
      const session = byToken(token)
      if (fake.outage) throw errors.unavailable()
      if (!session) throw errors.notFound('checkout session')
      return message(session)
    },
    getCheckoutSession: async ({ checkoutId }, call) => message(find(checkoutId, call)),
    async preparePayment({ session: named, customerDetails }, call) {
      const id = named.case === 'token' ? byToken(named.value)?.id : named.value
      const session = find(id ?? '', call)
      requireOpen(session)
      if (fake.banned.has(session.customerId)) throw errors.customerBanned()
      if (customerDetails) session.customerDetails = customerDetails
      return message(session)
    },
    async extendCheckoutSession({ checkoutId }, call) {
      const session = find(checkoutId, call)
      requireOpen(session)
      fake.extensions += 1
      session.expiresAt = new Date(session.createdAt.getTime() + 14 * 24 * 3_600_000)
      return message(session)
    },
    async checkBuyer({ customerId, billingEmail = '' }) {
      if (fake.outage) throw errors.unavailable()
      return { isBanned: fake.banned.has(customerId) || fake.banned.has(billingEmail) }
    },
    async determineTax({ billingCountry, billingTaxId }) {
      if (fake.outage) throw errors.unavailable()
      fake.taxRequests.push({ billingCountry, billingTaxId })
      return fake.renewalTax ? { tax: fake.renewalTax } : {}
    },
    async completeCheckoutSession({ checkoutId, payment }, call) {
      await fake.beforeComplete()
      const session = find(checkoutId, call)
      const isRepeated = session.status === Status.COMPLETED && session.paymentId === payment?.paymentId
      if (!isRepeated) {
        requireOpen(session)
        if (payment?.amount !== session.totalAmount) throw errors.conflict('The payment differs from the total.')
      }
      const { paymentId, orderId } = payment ?? {}
      Object.assign(session, { status: Status.COMPLETED, paymentId, orderId: session.orderId ?? orderId })
      if (fake.losesResponses) throw errors.unavailable()
      return message(session)
    },
  })
  return Object.assign(fake, { address: () => service.address })
}

type SessionInit = Extract<MessageInitShape<typeof CheckoutSessionSchema>, { $typeName?: never }>

export interface FakeSession extends Omit<SessionInit, 'createdAt' | 'expiresAt'> {
  id: string
  storeId: string
  customerId: string
  token: string
  status: Status
  totalAmount: bigint
  createdAt: Date
  expiresAt: Date
}

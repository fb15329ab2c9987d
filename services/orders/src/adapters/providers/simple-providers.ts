import type { PaymentProvider } from './provider.ts'

/** Simulated payments, which `ActOnTestPayment` decides, and renewals, which `AdvanceTestSubscription` decides. */
export const testProvider: PaymentProvider = {
  create: async ({ id }) => ({ report: { status: 'pending', providerReference: `test_${id}` } }),
  refund: async (_payment, { id }) => ({ status: 'succeeded', providerReference: `test_${id}` }),
  subscriptions: { cancel: async () => {} },
}

/**
 * Bank transfer or cash, which cannot renew a subscription. The money can take days, so a payment is processing immediately; the
 * store's staff marks it as paid and returns the money of a refund.
 */
export const manualProvider: PaymentProvider = {
  endsWithSession: true,
  create: async () => ({ report: { status: 'processing' } }),
  refund: async () => ({ status: 'succeeded' }),
}

/** A total of 0. There is nothing to pay and nothing to refund. */
export const freeProvider: PaymentProvider = {
  create: async () => ({ report: { status: 'succeeded' } }),
  refund: async () => ({ status: 'succeeded' }),
}

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { type CheckoutSessionSchema, CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { newId } from './ids.ts'

/** The checkout sessions of the checkout service without its rules. */
export function checkoutHandlers(): Handlers<typeof CheckoutService> {
  const unused = () => Promise.reject(new Error('not called by the gateway'))
  return {
    createCheckoutSession: async () => ({
      session: { id: newId() },
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://checkout.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    }),
    getCheckoutSession: async ({ checkoutId }, call) => ({ session: sessionMessage(checkoutId, call) }),
    listCheckoutSessions: async (_request, call) => ({
      sessions: [sessionMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    getCheckoutByToken: unused,
    preparePayment: unused,
    applyCoupon: unused,
    removeCoupon: unused,
    selectGameServer: unused,
    updateCheckoutLines: unused,
    updateTaxDetails: unused,
    determineTax: unused,
    listTaxRates: async () => ({ rates: [{ country: 'AT', rate: 2000 }], asOf: '2026-05-19' }),
    listRequiredProducts: unused,
    extendCheckoutSession: unused,
    completeCheckoutSession: unused,
    checkBuyer: unused,
    cancelCheckoutSession: async ({ checkoutId }, call) => ({ session: sessionMessage(checkoutId, call) }),
  }
}

function sessionMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof CheckoutSessionSchema> {
  return {
    id,
    storeId,
    customerId: '411486491630370816',
    status: CheckoutSessionStatus.OPEN,
    currency: 'eur',
    lines: [{ name: 'VIP rank', quantity: 2, unitPrice: 999n, totalAmount: 1998n }],
    subtotalAmount: 1998n,
    totalAmount: 1998n,
    expiresAt: timestampFromDate(new Date('2026-11-21T14:35:17.042Z')),
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}

import { type Client, createClient } from '@storekeep/common/grpc'
import { readTlsIdentity } from '@storekeep/common/identity'
import { createTestTransport, operator, testIdentity } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService, TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import type { SystemAddress } from './system-address.ts'

/** Starts payments through the orders service, as the checkout page does. */
export function createShopper({ ordersAddress, tls: config }: Pick<SystemAddress, 'ordersAddress' | 'tls'>): Shopper {
  const tls = config && readTlsIdentity(config)
  const transport = createTestTransport('orders', ordersAddress, (name) => ({ ...testIdentity(name), tls }))
  const payments: Client<typeof PaymentsService> = createClient(PaymentsService, transport)
  const optionsOf = (storeId: string) => ({ ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId })
  async function start(storeId: string, checkoutUrl: string, provider: PaymentProvider): Promise<string> {
    const token = new URL(checkoutUrl).searchParams.get('t') ?? ''
    const addresses = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' }
    const { payment } = await payments.startPayment({ token, provider, ...addresses }, optionsOf(storeId))
    if (!payment) throw new Error('StartPayment returned no payment')
    return payment.id
  }
  return {
    startManualPayment: (storeId, checkoutUrl) => start(storeId, checkoutUrl, PaymentProvider.MANUAL),
    async pay(storeId, checkoutUrl) {
      const paymentId = await start(storeId, checkoutUrl, PaymentProvider.TEST)
      await payments.actOnTestPayment({ paymentId, action: TestPaymentAction.APPROVE }, optionsOf(storeId))
    },
    async chargeBack(storeId, paymentId) {
      await payments.actOnTestPayment({ paymentId, action: TestPaymentAction.CHARGE_BACK }, optionsOf(storeId))
    },
    close: () => transport.close(),
  }
}

export interface Shopper {
  /** Starts to pay a session manually, in a store that allows it. @returns the id of the payment */
  startManualPayment(storeId: string, checkoutUrl: string): Promise<string>
  /** Pays a session with the test provider, in a store that allows it. */
  pay(storeId: string, checkoutUrl: string): Promise<void>
  /** Opens a dispute of a payment with the test provider. */
  chargeBack(storeId: string, paymentId: string): Promise<void>
  close(): void
}

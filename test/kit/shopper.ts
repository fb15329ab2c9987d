import { type Client, createClient } from '@storekeep/common/grpc'
import { createTestTransport, operator, testIdentity } from '@storekeep/common/testing'
import { readTlsIdentity } from '@storekeep/common/tls'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import type { SystemAddress } from './system-address.ts'

/** Starts payments through the orders service, as the checkout page does. */
export function createShopper({ ordersAddress, tls: config }: Pick<SystemAddress, 'ordersAddress' | 'tls'>): Shopper {
  const tls = config && readTlsIdentity(config)
  const transport = createTestTransport('orders', ordersAddress, (name) => ({ ...testIdentity(name), tls }))
  const payments: Client<typeof PaymentsService> = createClient(PaymentsService, transport)
  return {
    async startManualPayment(storeId, checkoutUrl) {
      const token = new URL(checkoutUrl).searchParams.get('t') ?? ''
      const addresses = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' }
      const request = { token, provider: PaymentProvider.MANUAL, ...addresses }
      const options = { ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId }
      const { payment } = await payments.startPayment(request, options)
      if (!payment) throw new Error('StartPayment returned no payment')
      return payment.id
    },
    close: () => transport.close(),
  }
}

export interface Shopper {
  /** Starts to pay a session manually, in a store that allows it. @returns the id of the payment */
  startManualPayment(storeId: string, checkoutUrl: string): Promise<string>
  close(): void
}

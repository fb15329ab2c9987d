import { errors, isFault } from '@storekeep/common/errors'
import { createClient } from '@storekeep/common/grpc'
import { createTestTransport, operator } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService, TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import {
  backOff,
  fresh,
  type HttpResponse,
  openDelivery,
  type SeededRandom,
  type System,
  type TestGameServer,
} from '@storekeep/test/kit'

/**
 * Opens a store that sells a product on each of its game servers, to shoppers and staff who retry during outages. Every item has
 * two commands for its purchase, and one for its refund.
 */
export async function openSales(system: System, serverCount: number, random: SeededRandom): Promise<Sales> {
  const store = (await system.createStore()).through(system.openGateway(0, { checked: false }))
  const { shop, gameServer } = await openDelivery(store, system.shopper)
  const command = (stage: string, content: string) => ({ stage, content, online_only: false })
  const goods: { server: TestGameServer; productId: string }[] = []
  for (let index = 0; index < serverCount; index += 1) {
    const server = await gameServer()
    const commands = [
      command('on_purchase', 'give {item.id}'),
      command('on_purchase', 'thank {item.id}'),
      command('on_refund', 'take {item.id}'),
    ]
    goods.push({ server, productId: (await shop.product({ gameservers: [server.id], commands })).id })
  }
  const { id: customer_id } = await shop.customer({ steam_id: fresh.steamId() })
  const transport = createTestTransport('orders', system.orders.address)
  const payments = createClient(PaymentsService, transport)
  const sold = new Map<string, Sale>()
  const counts = { retries: 0, refunds: 0 }

  /** Repeats what fails because a process or a server is down. */
  async function untilDone<T>(act: () => Promise<T>): Promise<T> {
    for (const deadline = performance.now() + 120_000; ; counts.retries += 1) {
      try {
        return await act()
      } catch (error) {
        if (!isFault(error, 'service-unavailable') || performance.now() > deadline) throw error
        await backOff()
      }
    }
  }

  async function send<Body>(path: string, json: object): Promise<Body> {
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    return await untilDone(async () => {
      const response: HttpResponse<Body> = await store.post<Body>(path, json, { headers }).catch((cause: unknown) => {
        throw errors.unavailable(cause)
      })
      // 409: the first attempt is still running.
      if (response.status === 503 || response.status === 409) throw errors.unavailable(new Error(response.text))
      if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${response.text}`)
      return response.body
    })
  }

  async function pay(checkoutUrl: string): Promise<string> {
    const options = { ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId: store.id, deadlineMs: 5000 }
    const token = new URL(checkoutUrl).searchParams.get('t') ?? ''
    const addresses = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' }
    const started = await untilDone(() =>
      payments.startPayment({ token, provider: PaymentProvider.TEST, ...addresses }, options),
    )
    const paymentId = started.payment?.id ?? ''
    return await untilDone(async () => {
      const { payment } = await payments.actOnTestPayment({ paymentId, action: TestPaymentAction.APPROVE }, options)
      if (payment?.orderId === undefined) throw errors.unavailable(new Error('the order was not created yet'))
      return payment.orderId
    })
  }

  async function sellOne(): Promise<void> {
    const { productId } = random.pick(goods)
    const quantity = 1 + random.below(3)
    const isRefunded = random.below(4) === 0
    const refunded = isRefunded ? 1 + random.below(quantity) : 0
    const lines = [{ product_id: productId, quantity }]
    const { url } = await send<{ url: string }>('/checkouts', { customer_id, lines })
    const orderId = await pay(url)
    const sale = { quantity, refunded: 0 }
    sold.set(orderId, sale)
    if (refunded === 0) return
    await send(`/orders/${orderId}/refunds`, { lines: [{ position: 1, quantity: refunded }] })
    sale.refunded = refunded
    counts.refunds += 1
  }

  return {
    storeId: store.id,
    servers: goods.map(({ server }) => server),
    sold,
    counts,
    async sell(count) {
      let left = count
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          while (left > 0) {
            left -= 1
            await sellOne()
          }
        }),
      )
    },
    close: () => transport.close(),
  }
}

interface Sale {
  quantity: number
  /** Units that were refunded. */
  refunded: number
}

export interface Sales {
  storeId: string
  servers: readonly TestGameServer[]
  /** The paid orders by id. */
  sold: ReadonlyMap<string, Sale>
  counts: { retries: number; refunds: number }
  /** Sells orders of one to three units, and refunds some units of a quarter of them. */
  sell(count: number): Promise<void>
  close(): void
}

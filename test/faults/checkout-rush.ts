import { randomBytes } from 'node:crypto'
import { ServiceFault } from '@storekeep/common/errors'
import { createClient, createGrpcTransport } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { backOff, fresh, type SeededRandom, type System, scaled, type TestStore, waitFor } from '@storekeep/test/kit'

/**
 * Customers who all want the same coupon, more often than it can be used: each orders again and again, and every
 * session that is made is paid, canceled, both at once, or left, as it comes. Goes on through outages, the way careful
 * clients do.
 */
export function startRush(system: System, { shops, couponId, customerIds, random }: RushOptions): Rush {
  const transport = createGrpcTransport({ address: system.checkout.address })
  const checkout = createClient(CheckoutService, transport)
  const counts = {
    orders: 0,
    made: 0,
    exhausted: 0,
    unavailable: 0,
    completed: 0,
    canceled: 0,
    contested: 0,
    open: 0,
    refused: 0,
  }
  let isOver = false

  async function orderOn(shop: TestStore): Promise<void> {
    while (!isOver) {
      const order = { customer_id: random.pick(customerIds), coupon_id: couponId, lines: [line] }
      const headers = { 'idempotency-key': fresh.idempotencyKey() }
      const id = await untilAnswered(() => shop.post<Answered>('/checkouts', order, { headers }))
      if (id !== undefined) await end(shop.id, id)
    }
  }

  /** The id of the session that was made; undefined when none was. */
  async function untilAnswered(send: () => ReturnType<TestStore['post']>): Promise<string | undefined> {
    counts.orders += 1
    while (!isOver) {
      const answer = await send().catch(() => undefined)
      if (answer?.status === 200) {
        counts.made += 1
        return (answer.body as Answered).id
      }
      if (answer?.status === 400) {
        if (!answer.text.includes('coupon-exhausted')) throw new Error(`an order was answered ${answer.text}`)
        counts.exhausted += 1
        await backOff()
        return undefined
      }
      const isPassing = answer === undefined || answer.status === 503 || answer.status === 409
      if (!isPassing) throw new Error(`an order was answered ${answer.status} ${answer.text}`)
      counts.unavailable += 1
      await backOff()
    }
    return undefined
  }

  /** Ends most sessions; some in both ways at once, of which one is refused. */
  async function end(storeId: string, checkoutId: string): Promise<void> {
    const way = random.below(20)
    if (way < 2) counts.open += 1
    else if (way < 4) await endAs('completed', storeId, checkoutId)
    else if (way < 6) {
      counts.contested += 1
      await Promise.all([endAs('completed', storeId, checkoutId), endAs('canceled', storeId, checkoutId)])
    } else await endAs('canceled', storeId, checkoutId)
  }

  async function endAs(name: 'completed' | 'canceled', storeId: string, checkoutId: string): Promise<void> {
    while (!isOver) {
      try {
        const options = operatorOptions(storeId)
        if (name === 'completed') await checkout.completeCheckoutSession({ checkoutId }, options)
        else await checkout.cancelCheckoutSession({ checkoutId }, options)
        counts[name] += 1
        return
      } catch (error) {
        if (error instanceof ServiceFault && error.code === 'conflict') {
          counts.refused += 1
          return
        }
        await backOff()
      }
    }
  }

  const running = Promise.all(shops.map(orderOn))
  return {
    counts,
    more: async (orders) => {
      const goal = counts.made + counts.exhausted + orders
      await waitFor(`${orders} more answers`, () => counts.made + counts.exhausted >= goal, { timeoutMs: 60_000 })
    },
    until: async (what, isMet) => void (await waitFor(what, () => isMet(counts), { timeoutMs: scaled(60_000) })),
    stop: async () => {
      isOver = true
      await running
      transport.close()
    },
  }
}

interface RushOptions {
  /** The store through each of the workers' gateways. */
  shops: readonly TestStore[]
  couponId: string
  customerIds: readonly string[]
  random: SeededRandom
}

export interface Rush {
  /**
   * What became of the orders so far. `open` were left as they are, `contested` completed and canceled at once, `refused`
   * counts the ends that came too late.
   */
  readonly counts: Record<
    'orders' | 'made' | 'exhausted' | 'unavailable' | 'completed' | 'canceled' | 'contested' | 'open' | 'refused',
    number
  >
  /** Resolves when so many more orders were answered. */
  more(orders: number): Promise<void>
  /** Resolves when the counts are as they should be. */
  until(what: string, isMet: (counts: Rush['counts']) => boolean): Promise<void>
  stop(): Promise<void>
}

const line = { quantity: 1, inline_product: { name: 'VIP rank', price: 1000, allow_one_time_purchase: true } }

function operatorOptions(storeId: string) {
  return {
    storeId,
    actor: { type: ActorType.ADMIN },
    requestId: `test-${randomBytes(6).toString('hex')}`,
    traceparent: formatTraceparent(childContext()),
    idempotency: { key: fresh.idempotencyKey(), scope: 'test' },
    deadlineMs: 5000,
  }
}

interface Answered {
  id: string
}

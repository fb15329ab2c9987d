import { randomBytes } from 'node:crypto'
import { isFault } from '@storekeep/common/errors'
import { createClient } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport } from '@storekeep/common/testing/identity'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { backOff, fresh, type SeededRandom, type System, scaled, type TestStore, waitFor } from '@storekeep/test/kit'

/**
 * Customers who order with the same coupon, more often than its limit allows. Each session is completed, canceled, both
 * concurrently, or left open, in fixed proportions. Retries during outages, as clients should.
 */
export function startRush(system: System, { shops, couponId, customerIds, random }: RushOptions): Rush {
  const transport = createTestTransport('checkout', system.checkout.address)
  const checkout = createClient(CheckoutService, transport)
  const counts = {
    orders: 0,
    created: 0,
    exhausted: 0,
    unavailable: 0,
    completed: 0,
    canceled: 0,
    contested: 0,
    open: 0,
    rejected: 0,
  }
  let isOver = false

  async function orderOn(shop: TestStore): Promise<void> {
    while (!isOver) {
      const order = { customer_id: random.pick(customerIds), coupon_id: couponId, lines: [line] }
      const headers = { 'idempotency-key': fresh.idempotencyKey() }
      const id = await sendUntilDecided(() => shop.post<Created>('/checkouts', order, { headers }))
      if (id !== undefined) await end(shop.id, id)
    }
  }

  /** Retries until the order is accepted (returns the id of its session) or the coupon is exhausted. */
  async function sendUntilDecided(send: () => ReturnType<TestStore['post']>): Promise<string | undefined> {
    counts.orders += 1
    while (!isOver) {
      const response = await send().catch(() => undefined)
      if (response?.status === 200) {
        counts.created += 1
        return (response.body as Created).id
      }
      if (response?.status === 400) {
        if (!response.text.includes('coupon-exhausted')) throw new Error(`an order was rejected: ${response.text}`)
        counts.exhausted += 1
        await backOff()
        return undefined
      }
      const isTemporary = response === undefined || response.status === 503 || response.status === 409
      if (!isTemporary) throw new Error(`an order returned ${response.status} ${response.text}`)
      counts.unavailable += 1
      await backOff()
    }
    return undefined
  }

  let ended = 0
  /** Ends most sessions, some both ways concurrently; then one way is rejected. */
  async function end(storeId: string, checkoutId: string): Promise<void> {
    const way = ended % 20
    ended += 1
    if (way < 2) {
      counts.contested += 1
      await Promise.all([endAs('completed', storeId, checkoutId), endAs('canceled', storeId, checkoutId)])
    } else if (way < 4) await endAs('completed', storeId, checkoutId)
    else if (way < 6) counts.open += 1
    else await endAs('canceled', storeId, checkoutId)
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
        if (isFault(error, 'conflict')) {
          counts.rejected += 1
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
      const goal = counts.created + counts.exhausted + orders
      await waitFor(`${orders} more decided orders`, () => counts.created + counts.exhausted >= goal, {
        timeoutMs: 60_000,
      })
    },
    until: async (what, isMet) =>
      void (await waitFor(what, () => isMet(counts), { timeoutMs: Math.max(60_000, scaled(60_000)) })),
    stop: async () => {
      isOver = true
      await running
      transport.close()
    },
  }
}

interface RushOptions {
  /** The store through the gateway of each worker. */
  shops: readonly TestStore[]
  couponId: string
  customerIds: readonly string[]
  random: SeededRandom
}

export interface Rush {
  /**
   * The outcomes so far. `open` sessions were left as they are, `contested` ones completed and canceled concurrently;
   * `rejected` counts attempts to end a session that had already ended.
   */
  readonly counts: Record<
    'orders' | 'created' | 'exhausted' | 'unavailable' | 'completed' | 'canceled' | 'contested' | 'open' | 'rejected',
    number
  >
  /** Resolves when this many more orders were accepted or found the coupon exhausted. */
  more(orders: number): Promise<void>
  /** Resolves when the counts meet the condition. */
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

interface Created {
  id: string
}

import { randomBytes } from 'node:crypto'
import {
  type CustomerBody,
  couponTerms,
  fresh,
  type OtlpReceiver,
  openShop,
  type ReceivedSpan,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { expect } from 'vitest'
import { gapsOf } from './trace-tree.ts'

/** A write sent with the trace context of a caller that requests sampling. */
export interface Write {
  kind: WriteKind
  traceId: string
  /** The span of the caller, which is recorded elsewhere. */
  spanId: string
  /** The number of events it causes, which all reach the search index. */
  events: number
}

export type WriteKind = 'customer' | 'bulk' | 'ban' | 'coupon' | 'product' | 'checkout'

/** A trace context as an HTTP caller sends it. */
export function newCaller() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } }
}

/** Sends writes of every kind in turn, several concurrently. */
export async function writeMany(store: TestStore, count: number): Promise<Write[]> {
  const shop = openShop(store)
  const goods = { product: (await shop.product()).id, customer: (await shop.customer()).id }
  return inPartitions(count, (index) => write(store, kinds[index % kinds.length] ?? 'customer', goods))
}

const kinds: WriteKind[] = ['customer', 'ban', 'customer', 'coupon', 'customer', 'product', 'bulk', 'checkout']

export async function write(store: TestStore, kind: WriteKind, goods?: Goods): Promise<Write> {
  const { headers, traceId, spanId } = newCaller()
  const { path, json, events = 1 } = bodyOf(kind, goods)
  const { status, text } = await store.post(path, json, { headers })
  expect(status, text).toBeLessThan(300)
  return { kind, traceId, spanId, events }
}

interface Goods {
  product: string
  customer: string
}

function bodyOf(kind: WriteKind, goods: Goods | undefined): { path: string; json: unknown; events?: number } {
  const name = fresh.name()
  switch (kind) {
    case 'customer':
      return { path: '/customers', json: { name } }
    case 'bulk':
      return { path: '/customers/bulk', json: [{ name }, { name: fresh.name() }, { name: fresh.name() }], events: 3 }
    case 'ban':
      return { path: '/bans', json: { identities: [{ ban_type: 'ip', ban_type_value: fresh.ip() }] } }
    case 'coupon':
      return { path: '/coupons', json: { ...couponTerms, code: fresh.couponCode() } }
    case 'product':
      return { path: '/products', json: { name, price: 1000 } }
    case 'checkout':
      return {
        path: '/checkouts',
        json: { lines: [{ quantity: 1, product_id: goods?.product }], customer_id: goods?.customer },
      }
  }
}

export async function inPartitions<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return results
}

export function traceOf(receiver: OtlpReceiver, { traceId }: { traceId: string }): ReceivedSpan[] {
  return receiver.spans.filter((span) => span.traceId === traceId)
}

/** Waits for complete traces and returns what is still missing after the timeout, one line per write. */
export async function waitUntilComplete(
  receiver: OtlpReceiver,
  writes: readonly Write[],
  timeoutMs = 30_000,
): Promise<string[]> {
  let open: { write: Write; gaps: string[] }[] = []
  const look = () => {
    const spans = Map.groupBy(receiver.spans, ({ traceId }) => traceId)
    const gaps = (one: Write) => gapsOf(spans.get(one.traceId) ?? [], one.spanId, one.events)
    open = writes.map((one) => ({ write: one, gaps: gaps(one) })).filter((one) => one.gaps.length > 0)
    return open.length === 0
  }
  await waitFor('every trace to be complete', look, { timeoutMs, everyMs: 250 }).catch(() => {})
  return open.map((one) => `${one.write.kind} ${one.write.traceId}: ${one.gaps.join(', ')}`)
}

/** Issues and uses every kind of secret in a recorded trace. @returns other values that no span may contain */
export async function useSecrets(store: TestStore): Promise<{ traceId: string; values: string[] }> {
  const { traceId, headers } = newCaller()
  const [name, email, key] = [fresh.name(), fresh.email(), fresh.idempotencyKey()]
  const keyed = { headers: { ...headers, 'idempotency-key': key } }
  const { body: customer } = await store.post<CustomerBody>('/customers', { name, metadata: { email } }, keyed)
  const path = `/customers/${customer.id}`
  const { body } = await store.post<{ token: string }>(`${path}/tokens`, undefined, { headers })
  await store.post(`${path}/portal-sessions`, {}, { headers })
  await store.get(`/customers?search=${name}`, { headers })
  await store.get(`/customers/lookup?name=${name}`, { headers })
  await store.shop('GET', '/store/customer', { token: body.token, headers })
  await store.shop('GET', '/store/customer', { token: `${body.token}x`, headers })
  const { body: product } = await store.post<{ id: string }>('/products', { name: fresh.name(), price: 1 }, { headers })
  const order = {
    lines: [{ quantity: 1, product_id: product.id }],
    customer_id: customer.id,
    customer_details: { billing_email: email },
  }
  await store.post('/checkouts', order, { headers })
  await store.delete(`${path}/tokens`, { headers })
  return { traceId, values: [name, email, key, customer.id] }
}

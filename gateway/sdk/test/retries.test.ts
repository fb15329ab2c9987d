import { describe, expect, it } from 'vitest'
import {
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  RequestTimeoutError,
  type ResponseEvent,
  ServerError,
} from '../src/index.ts'
import { isRetryable, retryAfterSeconds, retryDelayMs } from '../src/runtime/retry.ts'
import { cutOff, fault, hang, json, type Reply, reset, soon, startServer } from './scripted-server.ts'

const customer = { id: '411486491630370817' }
const created = json(200, customer)
/** Retries without the delay after connection errors. */
const fast = { maxRetryDelayMs: 1 }

const passing: [name: string, reply: Reply][] = [
  ['a 429 with Retry-After', fault(429, 'too-many-requests', soon)],
  ['a 503 with Retry-After', fault(503, 'service-unavailable', soon)],
  ['a 502 of a proxy', json(502, 'Bad gateway')],
  ['a reset connection', reset],
  ['a response that is cut off', cutOff],
]

describe('a failure that passes', () => {
  it.each(passing)('is retried after %s, with the same idempotency key and body', async (_name, reply) => {
    const server = await startServer(reply, reply, created)
    expect(await server.storekeep(fast).customers.create({ name: 'Robin' })).toEqual(customer)
    expect(server.requests).toHaveLength(3)
    const [first, ...others] = server.requests
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    for (const { headers, body } of others) {
      expect(headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
      expect(body).toBe(first?.body)
    }
  })

  it.each(passing)('is reported after %s when maxRetries is 0', async (_name, reply) => {
    const server = await startServer(reply, created)
    await expect(server.storekeep({ maxRetries: 0 }).customers.create({ name: 'Robin' })).rejects.toThrow()
    expect(server.requests).toHaveLength(1)
  })

  it('is reported when it outlasts the retries', async () => {
    const server = await startServer(fault(503, 'service-unavailable', soon))
    const { customers } = server.storekeep({ maxRetries: 5 })
    await expect(customers.get(customer.id, { maxRetries: 1 })).rejects.toThrow(ServerError)
    expect(server.requests).toHaveLength(2)
  })

  it('is retried after a timeout, which holds for each attempt and its body', async () => {
    const drip: Reply = (res) => void res.writeHead(200).write('{')
    const server = await startServer(hang, drip, created)
    const { customers } = server.storekeep({ ...fast, timeoutMs: 100 })
    expect(await customers.get(customer.id, { maxRetries: 100 })).toEqual(customer)
    expect(server.requests.length).toBeGreaterThanOrEqual(3)
    const late = await startServer(hang)
    await expect(late.storekeep({ timeoutMs: 20, maxRetries: 0 }).customers.get('1')).rejects.toThrow(
      RequestTimeoutError,
    )
  })

  it('waits for a write that is still running', async () => {
    const server = await startServer(reset, fault(409, 'conflict', soon), created)
    expect(await server.storekeep(fast).customers.create({ name: 'Robin' })).toEqual(customer)
  })

  it('reports a record as deleted when the retry no longer finds it', async () => {
    const server = await startServer(reset, fault(404, 'not-found'))
    expect(await server.storekeep(fast).bans.delete('1')).toBeUndefined()
    const missing = await startServer(fault(429, 'too-many-requests', soon), fault(404, 'not-found'))
    await expect(missing.storekeep().bans.delete('1')).rejects.toThrow(NotFoundError)
  })
})

describe('no retry', () => {
  it.each([
    [400, 'bad-request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [409, 'conflict'],
    [422, 'idempotency-mismatch'],
    [500, 'internal-error'],
  ])('follows a %d', async (status, code) => {
    const server = await startServer(fault(status, code, soon), created)
    await expect(server.storekeep().customers.create({ name: 'Robin' })).rejects.toMatchObject({ status, code })
    expect(server.requests).toHaveLength(1)
  })

  it('follows a Retry-After that is longer than the limit', async () => {
    const server = await startServer(fault(429, 'too-many-requests', { 'retry-after': '60' }), created)
    const failure = await server
      .storekeep()
      .customers.create({ name: 'Robin' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RateLimitError)
    expect(failure).toMatchObject({ retryAfterSeconds: 60 })
    expect(server.requests).toHaveLength(1)
  })

  it('follows a lost response of a write without idempotency key', async () => {
    const server = await startServer(reset, json(200, { customer_token: 'skcus_1' }))
    const body = { platform: 'minecraft', id: 'Steve' } as const
    await expect(server.storefront(fast).signInCustomer(body)).rejects.toThrow(ConnectionError)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

describe('an abort', () => {
  it('ends a request that waits for its response, with the reason of the signal', async () => {
    const abort = new AbortController()
    const server = await startServer(() => abort.abort(new Error('The shopper left')))
    const call = server.storekeep().customers.get('1', { signal: abort.signal })
    await expect(call).rejects.toThrow('The shopper left')
    expect(server.requests).toHaveLength(1)
  })

  it('ends the wait before a retry', async () => {
    const abort = new AbortController()
    const server = await startServer(fault(503, 'service-unavailable', { 'retry-after': '3600' }), created)
    const onResponse = ({ retryInMs }: ResponseEvent) => {
      expect(retryInMs).toBeGreaterThanOrEqual(3_600_000)
      // Aborts after the wait has begun.
      setImmediate(() => abort.abort())
    }
    const { customers } = server.storekeep({ maxRetryDelayMs: 10_000_000, onResponse })
    await expect(customers.get('1', { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(1)
  })

  it('before the call sends nothing', async () => {
    const server = await startServer(created)
    const call = server.storekeep().customers.get('1', { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(0)
  })

  it('in onRequest sends nothing', async () => {
    const abort = new AbortController()
    const server = await startServer(created)
    const { customers } = server.storekeep({ onRequest: () => abort.abort() })
    await expect(customers.get('1', { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(0)
  })

  it('leaves no listener on a signal that outlives many calls', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const counted = Object.assign(signal, {
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    })
    const server = await startServer(reset, created)
    await server.storekeep(fast).customers.get('1', { signal: counted })
    expect(server.requests).toHaveLength(2)
    expect(listeners).toBe(0)
  })
})

describe('the wait before a retry', () => {
  const busy = { retryAfterSeconds: 2 }
  const rateLimited = Object.assign(Object.create(RateLimitError.prototype) as RateLimitError, busy)

  it('is what the server asks for, with jitter', () => {
    expect(retryDelayMs(rateLimited, 1, 30_000, 0)).toBe(2000)
    expect(retryDelayMs(rateLimited, 4, 30_000, 1)).toBe(2250)
    expect(retryDelayMs(rateLimited, 1, 1999, 0)).toBeUndefined()
  })

  it('else grows exponentially up to the limit, with jitter', () => {
    const lost = new ConnectionError('')
    const waits = [1, 2, 3, 9].map((failed) => [0, 1].map((random) => retryDelayMs(lost, failed, 30_000, random)))
    expect(waits).toEqual([
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [15_000, 30_000],
    ])
  })

  it('reads Retry-After as seconds or as a date', () => {
    expect(retryAfterSeconds('7')).toBe(7)
    expect(retryAfterSeconds(new Date(0).toUTCString())).toBe(0)
    expect(retryAfterSeconds(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(1800)
    for (const header of [null, '', 'soon']) expect(retryAfterSeconds(header)).toBeUndefined()
  })
})

it('a conflict is only retried while an attempt may be running', () => {
  const conflict = Object.assign(Object.create(ConflictError.prototype) as ConflictError, { status: 409 })
  expect(isRetryable(conflict, { isSafe: true, mayBeRunning: true })).toBe(true)
  expect(isRetryable(conflict, { isSafe: true, mayBeRunning: false })).toBe(false)
})

import { Writable } from 'node:stream'
import { errors } from '@storekeep/common/errors'
import { createLogger } from '@storekeep/common/log'
import { useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { afterEach, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const calls: { requestId: string; traceId: string }[] = []
const payments = useFakeService(PaymentsService, {
  getPaymentState: async (_request, { requestId, traceId }) => {
    calls.push({ requestId, traceId })
    throw errors.notFound('checkout session')
  },
})

let pages: Awaited<ReturnType<typeof startPages>> | undefined
afterEach(() => pages?.stop())

/** Returns the function that sends requests, and the log lines so far. */
async function start(settings: Record<string, string> = {}) {
  const lines: { msg: string; status: number }[] = []
  const output = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  const none = '127.0.0.1:1'
  const addresses = { STORES_ADDRESS: none, ORDERS_ADDRESS: payments.address }
  const log = createLogger({ service: 'pages', level: 'info', destination: output })
  pages = await startPages({ ...addresses, ...settings }, log)
  const logged = () => lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)
  return { send: pages.send, logged }
}

const page = `/?t=${'a'.repeat(28)}`

describe('a page with another method', () => {
  it.each([
    ['PUT', '/', 'GET, HEAD'],
    ['GET', '/pay', 'POST'],
    ['DELETE', '/test-payment', 'GET, POST, HEAD'],
    ['GET', '/webhooks/stripe/7', 'POST'],
  ])('is not allowed, and the methods that are: %s %s', async (method, path, allow) => {
    const { send } = await start()
    expect(await send({ method, path })).toMatchObject({ status: 405, headers: { allow } })
  })

  it('does not exist if its path does not', async () => {
    const { send } = await start()
    expect((await send({ method: 'PUT', path: '/nothing' })).status).toBe(404)
  })
})

describe('a site below a path', () => {
  it.each(['/shop:(a)', '/shop:(a)/'])('has its first page at %s', async (path) => {
    const { send } = await start({ CHECKOUT_BASE_URL: 'https://pay.example/shop:(a)' })
    expect((await send({ path, method: 'PUT' })).status).toBe(405)
    expect((await send({ path: '/', method: 'PUT' })).status).toBe(404)
    expect((await send({ path: '/shop:(a)b', method: 'PUT' })).status).toBe(404)
  })
})

describe('the request id and the trace of the caller', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

  it('are passed to the service, and the id is returned', async () => {
    const { send } = await start()
    const headers = { 'x-request-id': 'from-proxy-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    expect((await send({ path: page, headers })).headers['x-request-id']).toBe('from-proxy-1')
    expect(calls.at(-1)).toEqual({ requestId: 'from-proxy-1', traceId })
  })

  it('are replaced if they look like a token', async () => {
    const { send } = await start()
    const id = 'b'.repeat(28)
    expect((await send({ path: page, headers: { 'x-request-id': id } })).headers['x-request-id']).not.toBe(id)
    expect(calls.at(-1)?.requestId).not.toBe(id)
  })
})

describe('the access log', () => {
  it('has a line for every page by default', async () => {
    const { send, logged } = await start()
    await send({ path: '/favicon.ico' })
    await send({ path: '/nothing' })
    await expect.poll(logged).toEqual([200, 404])
  })

  it('has only failed and slow requests at a ratio of 0', async () => {
    const { send, logged } = await start({ ACCESS_LOG_RATIO: '0' })
    await send({ path: '/favicon.ico' })
    await send({ path: '/nothing' })
    await expect.poll(logged).toEqual([404])
  })
})

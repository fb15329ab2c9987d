import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { serviceErrorSchema } from '../src/schemas/service-error.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.running.port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

describe('routing', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v2/store',
    '/v1/stores',
    '/v1/store/',
    '/v1/STORE',
    '/v1/stores/5/customers/',
    '//v1/store',
    '/v1/stores/5/customers/6/7',
  ])('%s is not found', async (path) => {
    const { body } = await gateway.request('GET', path)
    expect(body).toMatchObject({ status: 404, code: 'not-found', errors: null })
    expect(body).toMatchObject({ message: 'No endpoint matches this path. See /docs.' })
  })

  it('redirects a browser from / to the reference page and gives other clients the links', async () => {
    const browser = await gateway.request('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([browser.status, browser.headers.location]).toEqual([302, '/docs'])
    for (const accept of [undefined, '*/*', 'application/json']) {
      const { status, body } = await gateway.request('GET', '/', { headers: { accept } })
      expect([status, body]).toEqual([200, { name: 'Storekeep', docs: '/docs', openapi: '/openapi.json' }])
    }
    expect((await gateway.request('POST', '/')).status).toBe(405)
  })

  it.each([
    ['PUT', '/v1/stores/5/customers', 'GET, POST, HEAD'],
    ['DELETE', '/v1/stores/5/customers', 'GET, POST, HEAD'],
    ['OPTIONS', '/v1/stores/5/customers', 'GET, POST, HEAD'],
    ['PUT', '/v1/stores/5/customers/6', 'GET, PATCH, HEAD'],
    ['GET', '/v1/stores/5/customers/6/tokens', 'POST, DELETE'],
    ['HEAD', '/v1/stores/5/customers/6/tokens', 'POST, DELETE'],
    ['POST', '/v1/store', 'GET, HEAD'],
    ['GET', '/v1/store/customer/auth', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['TRACE', '/v1/store', 'GET, HEAD'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const response = await gateway.request(method, path)
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe(allow)
    if (method !== 'HEAD') expect(response.body).toMatchObject({ code: 'method-not-allowed' })
  })

  it('responds to HEAD like to GET, without a body', async () => {
    const store = gateway.newStore()
    const [head, get] = [await store.shop('HEAD', ''), await store.shop('GET', '')]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('rejects a path with an invalid percent-encoding', async () => {
    expect((await gateway.request('GET', '/v1/stores/%ff/customers')).body).toMatchObject({ code: 'bad-request' })
  })
})

describe('every response', () => {
  it.each(['abc', 'A-1_b.c:d/e+f=', '0'.repeat(128)])('echoes the request id %s', async (id) => {
    const response = await gateway.newStore().shop('GET', '', { headers: { 'x-request-id': id } })
    expect(response.headers['x-request-id']).toBe(id)
    expect(gateway.services.calls.at(-1)?.call.requestId).toBe(id)
  })

  it.each([undefined, '', 'a b', '-x', 'x'.repeat(129), 'skapi_abcdefghijk', 'abcdefghijklmnopqrstuvwxyz23'])(
    'generates a request id in place of %j',
    async (id) => {
      const response = await gateway.newStore().shop('GET', '', { headers: { 'x-request-id': id } })
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('has security headers and does not reveal the software', async () => {
    for (const { headers } of [await gateway.newStore().shop('GET', ''), await gateway.request('GET', '/nothing')]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'content-type': 'application/json',
      })
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('etag')
      expect(headers).not.toHaveProperty('server')
    }
  })
})

describe('the trace', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

  it('of the caller is passed to the service and returned in errors', async () => {
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    await gateway.newStore().shop('GET', '', { headers })
    expect(gateway.services.calls.at(-1)?.call.traceId).toBe(traceId)
    expect((await gateway.request('GET', '/nothing', { headers })).body).toMatchObject({ trace_id: traceId })
  })

  it.each([undefined, 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])(
    'is new for the traceparent %j',
    async (traceparent) => {
      const { body } = await gateway.request('GET', '/nothing', { headers: { traceparent } })
      expect(body).toMatchObject({ trace_id: expect.stringMatching(/^(?!0{32})(?!4bf9)[0-9a-f]{32}$/) })
    },
  )
})

describe('an invalid or oversized HTTP request', () => {
  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['no Host header', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHOST: y\r\nconnection: close\r\n\r\n', 400],
    [
      'two Authorization headers',
      'GET /v1/store HTTP/1.1\r\nhost: x\r\nauthorization: APIKey a\r\nAuthorization: APIKey b\r\nconnection: close\r\n\r\n',
      400,
    ],
    [
      'two Content-Type headers',
      'POST /v1/store/customer/auth HTTP/1.1\r\nhost: x\r\ncontent-type: text/json\r\ncontent-type: text/json\r\nconnection: close\r\n\r\n',
      400,
    ],
    ['headers of more than 16 KiB', `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a path of more than 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['two content lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
    [
      'both a content length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('with %s gets a ServiceError', async (_, text, status) => {
    const [head = '', body = ''] = (await sendRaw(text)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (body !== '') expect(serviceErrorSchema.parse(JSON.parse(body))).toMatchObject({ status, code: 'bad-request' })
  })

  it('is rejected when its headers take longer than 5 s', async () => {
    const started = performance.now()
    const received = await sendRaw('GET / HTTP/1.1\r\nhost: x\r\nx-slow: ')
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})

describe('a client that keeps its side of a rejected connection open', () => {
  it('does not keep the socket', async () => {
    const socket = connect({ port: gateway.running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('nonsense\r\n\r\n')
    await new Promise((resolve) => socket.resume().once('end', resolve))
    // Only a write detects that the other side is gone.
    await vi.waitFor(() => {
      socket.write('x')
      expect(socket.destroyed).toBe(true)
    }, 60_000)
  })
})

describe('the probe routes', () => {
  it.each(['/healthz', '/readyz'])('%s returns 200', async (path) => {
    expect((await gateway.request('GET', path)).status).toBe(200)
  })

  it('/metrics counts requests by path template and status, and contains no id', async () => {
    const store = gateway.newStore()
    await store.send('GET', '/customers')
    await store.send('GET', '/customers/12345')
    const { text, headers } = await gateway.request('GET', '/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toMatch(
      /http_server_request_duration_seconds_count\{.*http_route="\/v1\/stores\/\{storeId\}\/customers",.*\} [1-9]/,
    )
    for (const name of [
      'token_checks_total',
      'api_key_checks_total',
      'redis_fallbacks_total',
      'rate_limited_requests_total',
    ]) {
      expect(text).toContain(`# TYPE ${name} counter`)
    }
    expect(text).not.toContain(store.id)
    expect(text).not.toContain('12345')
  })
})

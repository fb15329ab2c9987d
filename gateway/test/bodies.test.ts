import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { useGateway } from './harness.ts'

const gateway = useGateway()
const body = '{"name":"Robin"}'

function post(raw: string | Buffer | undefined, headers: Record<string, string | number | undefined> = {}, path = '') {
  return gateway.newStore().send('POST', `/customers${path}`, { ...(raw !== undefined && { raw }), headers })
}

/** Sends raw bytes and returns everything received. */
function sendRaw(bytes: string | Buffer, { end = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.running.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })
}

describe('a body', () => {
  it.each([
    'application/json',
    'text/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/vnd.storekeep.customer+json',
    'application/merge-patch+json',
    'application/*+json',
    'application/json; profile=x',
  ])('is accepted with the media type %s', async (type) => {
    expect((await post(body, { 'content-type': type })).status).toBe(200)
  })

  it.each([
    undefined,
    '',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/x+json',
    'json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
  ])('is rejected with the media type %s', async (type) => {
    expect((await post(body, { 'content-type': type })).body).toMatchObject({ code: 'unsupported-media-type' })
  })

  it.each(['gzip', 'br', 'deflate, gzip', 'x'])('is rejected with the content encoding %s', async (encoding) => {
    expect((await post(body, { 'content-encoding': encoding })).body).toMatchObject({ status: 415 })
  })

  it('is an empty object when absent, with any media type', async () => {
    const portal = () => gateway.newStore()
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-length': 0 },
      { 'transfer-encoding': 'chunked' },
    ]) {
      expect((await portal().send('POST', '/customers/5/portal-sessions', { headers })).status).toBe(200)
    }
  })

  it.each([
    ['', 256 * 1024],
    ['/bulk', 1024 * 1024],
  ])('of /customers%s is limited to %i bytes', async (path, limit) => {
    const item = body.slice(0, -1)
    const wrap = (text: string) => (path === '' ? text : `[${text}]`)
    const fill = (length: number) => wrap(`${item}}`).replace('}', `${' '.repeat(length - wrap(body).length)}}`)
    expect((await post(fill(limit), {}, path)).status).toBe(200)
    expect((await post(fill(limit + 1), {}, path)).body).toMatchObject({ status: 413, code: 'payload-too-large' })
    const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' }
    expect((await post(fill(limit), chunked, path)).status).toBe(200)
    expect((await post(fill(limit + 1), chunked, path)).status).toBe(413)
    expect((await post(fill(limit * 4), chunked, path)).status).toBe(413)
  })

  it('leaves the connection usable when it is too large', async () => {
    const store = gateway.newStore()
    const head = (length: number) =>
      `POST /v1/stores/${store.id}/customers HTTP/1.1\r\nhost: x\r\nauthorization: APIKey ${store.apiKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n`
    const large = 'x'.repeat(300 * 1024)
    const received = await sendRaw(
      `${head(large.length)}\r\n${large}${head(body.length)}connection: close\r\n\r\n${body}`,
    )
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('is cut off when it never ends', async () => {
    const store = gateway.newStore()
    const head =
      `POST /v1/stores/${store.id}/customers HTTP/1.1\r\nhost: x\r\nauthorization: APIKey ${store.apiKey}\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const received = await sendRaw(head + chunk.repeat(300)).catch((error: NodeJS.ErrnoException) => error.code)
    expect(received).toSatisfy((text: string) => text.startsWith('HTTP/1.1 413') || /ECONNRESET|EPIPE/.test(text))
  })

  it('is requested with 100 Continue only after the headers are accepted', async () => {
    const store = gateway.newStore()
    const head = (extra: string) =>
      `POST /v1/stores/${store.id}/customers HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n` +
      `content-type: application/json\r\n${extra}\r\n\r\n`
    const rejected = await sendRaw(head(`content-length: ${body.length}`))
    expect(rejected).toMatch(/^HTTP\/1\.1 401/)
    expect(rejected).toMatch(/connection: close/i)
    const key = `authorization: APIKey ${store.apiKey}\r\nconnection: close\r\n`
    const large = await sendRaw(head(`${key}content-length: 999999`))
    expect(large).toMatch(/^HTTP\/1\.1 413/)
    const wanted = await sendRaw(`${head(`${key}content-length: ${body.length}`)}${body}`)
    expect(wanted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
  })

  it.each([
    ['cut short', '{"name":"Robin"'],
    ['with a trailing comma', '{"name":"Robin",}'],
    ['with a comment', '{"name":"Robin"}//'],
    ['with single quotes', "{'name':'Robin'}"],
    ['NaN', '{"name":NaN}'],
    ['two values', '{} {}'],
    ['white space', ' '],
    ['a raw NUL', '{"name":"a\0b"}'],
  ])('is rejected when malformed: %s', async (_, raw) => {
    expect((await post(raw)).body).toMatchObject({ status: 400, code: 'bad-request', errors: null })
  })

  it.each([
    ['with invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['with an escaped NUL in a value', '{"name":"a\\u0000b"}'],
    ['with an escaped NUL in a key', '{"name":"a","metadata":{"k\\u0000":"v"}}'],
    ['with a lone surrogate in a value', '{"name":"a\\ud800"}'],
    ['with a lone surrogate in a key', '{"name":"a","metadata":{"\\udc00":"v"}}'],
    ['nested 21 levels deep', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`],
    ['nested 100,000 levels deep', '['.repeat(100_000)],
  ])('is rejected %s', async (_, raw) => {
    expect((await post(raw)).body).toMatchObject({ status: 400, code: 'bad-request' })
  })

  it.each([
    ['nested 20 levels deep', `{"name":"a","x":${'['.repeat(19)}${']'.repeat(19)}}`],
    ['with brackets in strings', JSON.stringify({ name: '[{"'.repeat(30), y: '\\"['.repeat(30) })],
    ['with a byte order mark', `\ufeff${body}`],
    ['with escapes', '{"name":"\\ud83e\\udd8a \\u00e4"}'],
    ['with huge numbers in unknown fields', '{"name":"a","x":123456789012345678901234567890,"y":1e999}'],
  ])('is accepted %s', async (_, raw) => {
    expect((await post(raw)).status).toBe(200)
  })

  it.each([
    '{"__proto__":{"name":"x"}}',
    '{"\\u005f_proto__":{"name":"x"}}',
    '{"constructor":{"prototype":{"name":"x"}}}',
  ])('cannot reach a prototype: %s', async (raw) => {
    expect((await post(raw)).status).toBe(400)
    expect(({} as { name?: string }).name).toBeUndefined()
    expect((await post(`{"name":"a","metadata":{"__proto__":"x"}}`)).status).toBe(400)
  })

  it.each(['POST', 'PATCH'])('must be JSON for a %s that takes no body', async (method) => {
    const path = method === 'POST' ? '/customers/5/tokens' : '/customers/5'
    const response = await gateway
      .newStore()
      .send(method, path, { raw: 'x=1', headers: { 'content-type': 'text/plain' } })
    expect(response.status).toBe(415)
  })

  it('is ignored for GET and DELETE', async () => {
    const store = gateway.newStore()
    expect((await store.send('GET', '/customers', { raw: '<x/>' })).status).toBe(200)
    expect((await store.send('DELETE', '/customers/5/tokens', { raw: '<x/>' })).status).toBe(204)
  })
})

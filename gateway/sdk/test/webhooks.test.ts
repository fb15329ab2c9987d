import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { type WebhookHeaders, WebhookVerificationError, webhooks } from '../src/index.ts'

const secret = newSecret()
const body = JSON.stringify({
  type: 'ban.created',
  timestamp: '2026-01-02T03:04:05.678Z',
  data: { reason: 'Ünïcode ✓' },
})

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Headers from the reference library of Standard Webhooks. */
function signed(text = body, { with: key = secret, secondsAgo = 0 } = {}): Record<string, string> {
  const sentAt = new Date(Date.now() - secondsAgo * 1000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('msg_1', sentAt, text),
  }
}

function renamed(headers: Record<string, string>, rename: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]))
}

describe('a webhook signed for a test', () => {
  it('is accepted by this package and by the reference library', async () => {
    const headers = await webhooks.sign(body, secret)
    expect(await webhooks.verify(body, headers, secret)).toEqual(JSON.parse(body))
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    await expect(webhooks.verify(`${body} `, headers, secret)).rejects.toThrow(WebhookVerificationError)
  })

  it('has the given id and time, so that an old one is rejected', async () => {
    const headers = await webhooks.sign(body, secret, { id: 'msg_7', sentAt: new Date(0) })
    expect(headers).toMatchObject({ 'webhook-id': 'msg_7', 'webhook-timestamp': '0' })
    await expect(webhooks.verify(body, headers, secret)).rejects.toThrow('The timestamp is too far from now')
  })

  it('needs a secret of the right form, which no error contains', async () => {
    await expect(webhooks.sign(body, 'no secret!')).rejects.toThrow(/^A webhook secret is whsec_ followed by base64$/)
  })
})

describe('a webhook signed by the reference library is accepted', () => {
  it.each([
    ['as text', body],
    ['as a buffer', Buffer.from(body)],
    ['as an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('with its body %s', async (_name, received) => {
    expect(await webhooks.verify(received, signed(), secret)).toEqual(JSON.parse(body))
  })

  it.each<[name: string, form: (headers: Record<string, string>) => WebhookHeaders]>([
    ['an object', (headers) => headers],
    [
      'an object in other letter case',
      (headers) => renamed(headers, (name) => name.replace(/\b./g, (one) => one.toUpperCase())),
    ],
    [
      'an object of lists',
      (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
    ['Headers', (headers) => new Headers(headers)],
  ])('with its headers as %s', async (_name, form) => {
    await expect(webhooks.verify(body, form(signed()), secret)).resolves.toMatchObject({ type: 'ban.created' })
  })

  it('with any of several secrets, and any of several signatures', async () => {
    const old = newSecret()
    await webhooks.verify(body, signed(), [old, secret])
    const both = `${signed(body, { with: old })['webhook-signature']} v1a,ignored ${signed()['webhook-signature']}`
    await webhooks.verify(body, { ...signed(), 'webhook-signature': both }, secret)
  })

  it('within the tolerance, before and after', async () => {
    for (const secondsAgo of [-60, 60]) await webhooks.verify(body, signed(body, { secondsAgo }), secret)
    await webhooks.verify(body, signed(body, { secondsAgo: 7000 }), secret, { toleranceSeconds: 8000 })
  })
})

describe('a webhook is rejected', () => {
  it.each<[name: string, change: Partial<Sent>]>([
    ['with another body', { received: `${body} ` }],
    ['with another secret', { key: newSecret() }],
    ['with another id', { replaced: { 'webhook-id': 'msg_2' } }],
    ['with another time', { replaced: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 60) } }],
    ['that is too old', { secondsAgo: 400 }],
    ['that is from the future', { secondsAgo: -4000 }],
    ['with a time that is no number', { replaced: { 'webhook-timestamp': 'NaN' } }],
    ['without a signature', { replaced: { 'webhook-signature': undefined } }],
    ['with an empty signature', { replaced: { 'webhook-signature': 'v1,' } }],
    ['with a signature that is not base64', { replaced: { 'webhook-signature': 'v1,*' } }],
    ['with a signature of another version', { version: 'v2' }],
    ['whose body is not JSON', { text: 'hello', received: 'hello' }],
    ['whose body is not UTF-8', { received: Buffer.from([0xff]) }],
  ])('%s', async (_name, { received = body, text = body, key = secret, replaced, secondsAgo = 0, version = 'v1' }) => {
    const headers = { ...signed(text, { secondsAgo }), ...replaced }
    const signature = headers['webhook-signature']?.replace('v1,', `${version},`)
    const call = webhooks.verify(received, { ...headers, 'webhook-signature': signature }, key)
    await expect(call).rejects.toThrow(WebhookVerificationError)
  })

  interface Sent {
    received: string | Buffer
    /** The text that was signed. */
    text: string
    key: string
    replaced: Record<string, string | undefined>
    secondsAgo: number
    version: string
  }

  it.each([
    ['a parsed body', { type: 'ban.created' } as unknown as string, secret],
    ['no secret', body, []],
    ['an empty secret', body, 'whsec_'],
    ['a secret that is not base64', body, 'whsec_*'],
  ])('as misuse with %s', async (_name, received, key) => {
    await expect(webhooks.verify(received, signed(), key)).rejects.toThrow(TypeError)
  })
})

it('the errors of a verification never contain the secret', async () => {
  const key = `${newSecret()}*`
  const error: unknown = await webhooks.verify(body, signed(), key).catch((one: unknown) => one)
  expect(String(error)).not.toContain(key.slice(6, 20))
})

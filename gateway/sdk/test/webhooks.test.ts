import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { WebhookVerificationError, webhooks } from '../src/index.ts'

const secret = newSecret()
const body = JSON.stringify({
  type: 'ban.created',
  timestamp: '2026-01-02T03:04:05.678Z',
  data: { reason: 'Ünïcode ✓' },
})

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Headers by the reference library of Standard Webhooks. */
function signed(text = body, { with: key = secret, secondsAgo = 0 } = {}): Record<string, string> {
  const sentAt = new Date(Date.now() - secondsAgo * 1000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('msg_1', sentAt, text),
  }
}

describe('a webhook signed by the reference library is accepted', () => {
  const capitalized = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.replace(/\b./g, (letter) => letter.toUpperCase()), value]),
  )

  it.each([
    ['as text', body],
    ['as a buffer', Buffer.from(body)],
    ['as an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('with its body %s', async (_name, received) => {
    expect(await webhooks.verify(received, signed(), secret)).toEqual(JSON.parse(body))
  })

  it.each([
    ['an object', signed()],
    ['an object in other letter case', capitalized],
    ['an object of lists', Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]))],
    ['Headers', new Headers(signed())],
  ])('with its headers as %s', async (_name, headers) => {
    await expect(webhooks.verify(body, headers, secret)).resolves.toMatchObject({ type: 'ban.created' })
  })

  it('with any of several secrets, and any of several signatures', async () => {
    const old = newSecret()
    await webhooks.verify(body, signed(), [old, secret])
    const both = `${signed(body, { with: old })['webhook-signature']} v1a,ignored ${signed()['webhook-signature']}`
    await webhooks.verify(body, { ...signed(), 'webhook-signature': both }, secret)
  })

  it('within the tolerance, before and after', async () => {
    for (const secondsAgo of [-200, 200]) await webhooks.verify(body, signed(body, { secondsAgo }), secret)
    await webhooks.verify(body, signed(body, { secondsAgo: 7000 }), secret, { toleranceSeconds: 8000 })
  })
})

describe('a webhook is rejected', () => {
  it.each([
    ['with another body', `${body} `, signed(), secret],
    ['with another secret', body, signed(), newSecret()],
    ['with another id', body, { ...signed(), 'webhook-id': 'msg_2' }, secret],
    [
      'with another time',
      body,
      { ...signed(), 'webhook-timestamp': signed(body, { secondsAgo: 9 })['webhook-timestamp'] },
      secret,
    ],
    ['that is too old', body, signed(body, { secondsAgo: 400 }), secret],
    ['that is from the future', body, signed(body, { secondsAgo: -400 }), secret],
    ['with a time that is no number', body, { ...signed(), 'webhook-timestamp': 'NaN' }, secret],
    ['without a signature', body, { ...signed(), 'webhook-signature': undefined }, secret],
    ['with an empty signature', body, { ...signed(), 'webhook-signature': 'v1,' }, secret],
    ['with a signature that is not base64', body, { ...signed(), 'webhook-signature': 'v1,*' }, secret],
    [
      'with a signature of another version',
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') },
      secret,
    ],
    ['whose body is not JSON', 'hello', signed('hello'), secret],
    ['whose body is not UTF-8', Buffer.from([0xff]), signed(), secret],
  ])('%s', async (_name, received, headers, key) => {
    await expect(webhooks.verify(received, headers, key)).rejects.toThrow(WebhookVerificationError)
  })

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

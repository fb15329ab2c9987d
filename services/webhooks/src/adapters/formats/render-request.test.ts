import { webhookEventTypes } from '@storekeep/records/events/event-types'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { renderRequest } from './index.ts'

const secrets = [
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=',
]
const payload = (type: string, data: object) => JSON.stringify({ type, timestamp: '2026-11-20T14:35:17.000Z', data })
const recipient = { format: 'standard' as const, secrets, headers: { 'X-Token': 't' } }
const id = '0193452b-5a3c-7000-8000-000000000000'

describe('the format standard', () => {
  const text = payload('ban.created', { reason: 'Betrügt 🦊 "x"\n' })
  const event = { id, type: 'ban.created', payload: text }

  it('is verified by the standardwebhooks package with each valid secret, and returns the payload', () => {
    const { headers, body } = renderRequest(event, recipient, new Date())
    expect(body).toBe(text)
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(text))
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(headers).toMatchObject({ 'X-Token': 't', 'content-type': 'application/json', 'webhook-id': id })
  })

  it('is not verified with another secret, body, id or time (negative control)', () => {
    const { headers, body } = renderRequest(event, recipient, new Date())
    const [secret = ''] = secrets
    const other = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
    expect(() => other.verify(body, headers)).toThrow('No matching signature')
    const verifier = new Webhook(secret)
    expect(() => verifier.verify(`${body} `, headers)).toThrow('No matching signature')
    expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'x' })).toThrow('No matching signature')
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => verifier.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow('No matching signature')
    const old = renderRequest(event, recipient, new Date(0))
    expect(() => verifier.verify(old.body, old.headers)).toThrow('too old')
  })

  it('matches the example of the specification', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', type: 'test', payload: '{"test": 2432232314}' }
    const one = { ...recipient, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }
    const { headers } = renderRequest(example, one, new Date(1_614_265_330_000))
    expect(headers).toMatchObject({
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })
})

describe('the format discord', () => {
  const render = (type: string, data: object) =>
    JSON.parse(
      renderRequest({ id, type, payload: payload(type, data) }, { ...recipient, format: 'discord' }, new Date()).body,
    )

  it('shows the fields that people look for, and has no mentions', () => {
    const order = {
      id: '7',
      number: 1042,
      status: 'partially_refunded',
      currency: 'eur',
      total_amount: 1978,
      lines: [{ name: 'VIP rank', quantity: 2 }],
      refund: { amount: 989, reason: 'Server down' },
    }
    expect(render('order.refunded', order)).toEqual({
      embeds: [
        {
          title: 'Order refunded',
          timestamp: '2026-11-20T14:35:17.000Z',
          fields: [
            { name: 'Number', value: '1042', inline: true },
            { name: 'Total', value: '€19.78', inline: true },
            { name: 'Refunded', value: '€9.89', inline: true },
            { name: 'Refund reason', value: 'Server down', inline: true },
            { name: 'Products', value: '2 × VIP rank', inline: true },
            { name: 'Status', value: 'partially\\_refunded', inline: true },
            { name: 'Id', value: '7', inline: true },
          ],
        },
      ],
      allowed_mentions: { parse: [] },
    })
  })

  it('prints amounts with the decimals of their currency', () => {
    const total = (currency: string) =>
      render('order.created', { currency, total_amount: 12345 }).embeds[0].fields[0].value
    expect(['usd', 'huf', 'jpy', 'kwd'].map(total)).toEqual([
      '$123.45',
      'HUF\u00a0123.45',
      '¥12,345',
      'KWD\u00a012.345',
    ])
  })

  it('shows only the host of an endpoint, whose path or query may be a credential', () => {
    const [host] = render('webhook_endpoint.created', { url: 'https://discord.com/api/webhooks/1/hushhush?a=hushhush' })
      .embeds[0].fields
    expect(host).toEqual({ name: 'Host', value: 'discord.com', inline: true })
  })

  it('does not format texts of customers', () => {
    const { value } = render('customer.created', { name: '[free](https://evil.test) **x** <@1> `y`' }).embeds[0]
      .fields[0]
    expect(value).toBe('\\[free\\](https://evil.test) \\*\\*x\\*\\* \\<@1\\> \\`y\\`')
  })

  it.each([...webhookEventTypes, 'ping', 'later.release'])('fits into the limits of Discord: %s', (type) => {
    const long = '🦊*'.repeat(500)
    const data = {
      ...{ id: '7', name: long, code: long, reason: long, status: long, currency: 'eur', total_amount: 1, price: 1 },
      ...{
        number: 1,
        renewal_amount: 1,
        url: 'https://example.com',
        identifier: long,
        disabled_reason: long,
        customer_id: long,
      },
      ...{ expires_at: long, current_period_end: long, refund: { amount: 1, reason: long } },
      lines: Array.from({ length: 30 }, () => ({ name: long, quantity: 1 })),
      identities: Array.from({ length: 30 }, () => ({ ban_type: 'name', ban_type_value: long })),
      ...{ discount_type: 'percent', discount_amount: 125, product: { name: long }, state: long },
      ...{ command: long, customer_name: long, gameserver_id: long, linked_to: { hostname: long } },
    }
    const { embeds, ...rest } = render(type, data)
    expect(rest).toEqual({ allowed_mentions: { parse: [] } })
    const [{ title, fields }] = embeds as [{ title: string; fields: { name: string; value: string }[] }]
    expect(title).toMatch(/^[A-Z][a-z ]+$/)
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.length).toBeLessThanOrEqual(25)
    const texts = [title, ...fields.flatMap(({ name, value }) => [name, value])]
    expect(fields.filter(({ name, value }) => name.length > 256 || value.length > 1024 || value === '')).toEqual([])
    expect(texts.join('').length).toBeLessThanOrEqual(6000)
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([])
    const ownFields = ['store_tokens.revoked', 'ping', 'later.release'].includes(type) ? 1 : 2
    expect(fields.length).toBeGreaterThanOrEqual(ownFields)
  })

  it('renders an event without any known field', () => {
    expect(render('ping', {})).toMatchObject({ embeds: [{ title: 'Ping', fields: [] }] })
  })
})

import { isFlakeId } from '@storekeep/common/flake'
import {
  countEvents,
  eventsOf,
  faultOf,
  isPublished,
  retryUnavailable,
  violationsOf,
  withKey,
} from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { WebhookFormat } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { checkEndpoint } from '../src/endpoints/domain/endpoint-draft.ts'
import { createTestEndpoint, endpointInput, inStore, useWebhooks } from './harness.ts'

const webhooks = useWebhooks()
const rules = { allowHttp: false, isAllowedAddress: () => true, isEventType: () => true, notAnEventType: () => '' }
const draft = {
  url: '',
  eventTypes: ['*'],
  enabled: true,
  description: '',
  format: 'standard' as const,
  headers: {},
}

describe('CreateWebhookEndpoint', () => {
  it('creates an endpoint and returns its secret, but never the values of its headers', async () => {
    const options = inStore()
    const fields = {
      url: 'https://hooks.example.com:8443/a?b=c',
      eventTypes: ['ban.created', 'ban.deleted'],
      description: 'Discord 🦊',
      format: WebhookFormat.DISCORD,
      headers: { 'X-Token': 'hushhush', 'X-Other': 'o' },
    }
    const { endpoint, secret } = await createTestEndpoint(webhooks, options, fields)
    const { headers: _headers, ...others } = fields
    expect(endpoint).toMatchObject({
      ...others,
      storeId: options.storeId,
      enabled: true,
      headerNames: ['X-Token', 'X-Other'],
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
    })
    expect(isFlakeId(endpoint.id)).toBe(true)
    expect(endpoint.disabledReason ?? endpoint.failingSince ?? endpoint.updatedAt).toBeUndefined()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const read = await webhooks.client.getWebhookEndpoint({ webhookEndpointId: endpoint.id }, options)
    expect(read.webhookEndpoint).toEqual(endpoint)
  })

  it('publishes the endpoint without secrets, and logs none', async () => {
    const options = inStore()
    const { endpoint, secret } = await createTestEndpoint(webhooks, options, { headers: { 'X-Token': 'hushhush' } })
    const events = await eventsOf(webhooks, endpoint.id)
    expect(events).toMatchObject([
      {
        type: 'webhook_endpoint.created',
        version: '1',
        storeId: options.storeId,
        message: { webhookEndpoint: endpoint },
      },
    ])
    await expect.poll(() => isPublished(webhooks, endpoint.id)).toBe(true)
    const [row] = await webhooks.database.query<{ tables: string }>(sql`
      select (select string_agg(w::text, '') from webhook_endpoint w) || (select string_agg(s::text, '') from webhook_secret s)
        || (select string_agg(encode(payload, 'escape'), '') from outbox) as tables`)
    const texts = row?.tables + webhooks.logLines.join()
    for (const plain of ['hushhush', secret, secret.slice('whsec_'.length)]) {
      expect(texts).not.toContain(plain)
      expect(texts).not.toContain(Buffer.from(plain).toString('hex'))
    }
  })

  it('takes effect once per Idempotency-Key, and returns the same secret to a retry, which is stored encrypted', async () => {
    const options = withKey(inStore())
    const first = await createTestEndpoint(webhooks, options)
    expect(await createTestEndpoint(webhooks, options)).toEqual(first)
    const other = webhooks.client.createWebhookEndpoint({ webhookEndpoint: endpointInput({ eventTypes: [] }) }, options)
    expect(await faultOf(other)).toMatchObject({ code: 'validation-failed' })
    const mismatch = webhooks.client.createWebhookEndpoint(
      { webhookEndpoint: endpointInput({ description: 'x' }) },
      options,
    )
    expect(await faultOf(mismatch)).toMatchObject({ code: 'idempotency-mismatch' })
    expect(await countEvents(webhooks, options.storeId)).toBe(1)
    const [row] = await webhooks.database.query<{ response: string }>(
      sql`select encode(response, 'escape') as response from idempotency_record where scope like ${`${options.storeId} %`}`,
    )
    expect(row?.response).toBeDefined()
    expect(row?.response).not.toContain(first.secret)
  })

  it('reports every invalid field and creates nothing', async () => {
    const options = inStore()
    const invalid = {
      url: 'ftp://example.com',
      eventTypes: ['*', 'ban.created', 'ban.created'],
      description: 'x'.repeat(1001),
      format: WebhookFormat.UNSPECIFIED,
      headers: { Host: 'x' },
    }
    expect(await violationsOf(webhooks.client.createWebhookEndpoint({ webhookEndpoint: invalid }, options))).toEqual([
      'url format',
      'event_types.0 exclusive',
      'event_types.2 unique',
      'description length',
      'headers.Host enum',
      'format enum',
    ])
    expect(await violationsOf(webhooks.client.createWebhookEndpoint({}, options))).toEqual([
      'url format',
      'event_types length',
      'format enum',
    ])
    expect(await countEvents(webhooks, options.storeId)).toBe(0)
  })

  it('accepts http URLs only if the installation allows them', async () => {
    const url = 'http://hooks.example.com'
    const create = webhooks.client.createWebhookEndpoint({ webhookEndpoint: endpointInput({ url }) }, inStore())
    expect(await violationsOf(create)).toEqual(['url format'])
    expect(checkEndpoint({ ...draft, url }, { ...rules, allowHttp: true })).toMatchObject({ url })
  })

  it.each(['https://127.0.0.1', 'https://0x7f.1', 'https://[::1]', 'https://169.254.169.254', 'https://localhost'])(
    'rejects %s, which is not public, unless the installation allows its network',
    async (url) => {
      const create = webhooks.client.createWebhookEndpoint({ webhookEndpoint: endpointInput({ url }) }, inStore())
      expect(await violationsOf(create)).toEqual(['url format'])
      expect(checkEndpoint({ ...draft, url }, rules)).toMatchObject({ url })
    },
  )

  it('creates at most 50 endpoints per store, also concurrently', async () => {
    const store = inStore()
    const create = () => {
      const options = withKey(store)
      return retryUnavailable(() => createTestEndpoint(webhooks, options))
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, create))
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failed).toHaveLength(10)
    for (const error of failed)
      expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('50') })
  })
})

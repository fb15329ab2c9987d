import { countEvents, eventsOf, faultOf, violationsOf } from '@storekeep/common/testing'
import { WebhookDisabledReason } from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { readHeaders } from '../src/endpoints/db/endpoint-repository.ts'
import { createTestEndpoint, endpointInput, type Input, inStore, useWebhooks } from './harness.ts'

const webhooks = useWebhooks()

async function createUpdated(fields: Input = {}) {
  const options = inStore()
  const { endpoint } = await createTestEndpoint(webhooks, options, fields)
  return {
    options,
    endpoint,
    update: async (change: Input, given = options) => {
      const paths = Object.keys(change).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
      const webhookEndpoint = endpointInput(change)
      const request = { webhookEndpointId: endpoint.id, webhookEndpoint, updateMask: { paths } }
      return (await webhooks.client.updateWebhookEndpoint(request, given)).webhookEndpoint
    },
    headers: () => readHeaders(webhooks.database, webhooks.config.secrets, endpoint),
  }
}

describe('UpdateWebhookEndpoint', () => {
  it('changes the fields of the mask, and publishes the result', async () => {
    const { options, endpoint, update } = await createUpdated({ description: 'one', headers: { 'X-A': '1' } })
    const updated = await update({ eventTypes: ['ban.created'], enabled: false })
    expect(updated).toMatchObject({
      ...endpoint,
      eventTypes: ['ban.created'],
      enabled: false,
      updatedBy: options.actor,
      updatedAt: expect.anything(),
      version: 2n,
    })
    const events = await eventsOf(webhooks, endpoint.id)
    expect(events[1]).toMatchObject({
      type: 'webhook_endpoint.updated',
      version: '2',
      message: { webhookEndpoint: updated },
    })
  })

  it('writes nothing if nothing changes', async () => {
    const { options, endpoint, update } = await createUpdated({ headers: { 'X-A': '1' } })
    expect(await update({})).toEqual(endpoint)
    expect(await update({ headers: { 'X-A': '********' }, enabled: true })).toEqual(endpoint)
    expect(await countEvents(webhooks, options.storeId)).toBe(1)
  })

  it('keeps the stored values of masked headers, and replaces the others', async () => {
    const { update, headers } = await createUpdated({ headers: { 'X-A': '1', 'X-B': '2' } })
    const updated = await update({ headers: { 'x-a': '********', 'X-C': '3' } })
    expect(updated?.headerNames).toEqual(['x-a', 'X-C'])
    expect(await headers()).toEqual({ 'x-a': '1', 'X-C': '3' })
    expect(await violationsOf(update({ headers: { 'X-D': '********' } }))).toEqual(['headers.X-D reference'])
    await update({ headers: {} })
    expect(await headers()).toEqual({})
  })

  it('sends no stored header value to another origin', async () => {
    const { endpoint, update, headers } = await createUpdated({ headers: { 'X-A': '1', 'X-B': '2' } })
    const { origin, host, hostname } = new URL(endpoint.url)
    for (const url of [`https://evil.example/hook`, `https://${hostname}:8443/hook`, `https://x.${host}/hook`]) {
      expect(await violationsOf(update({ url }))).toEqual(['headers.X-A reference', 'headers.X-B reference'])
      const isKept = { url, headers: { 'x-a': '********', 'X-B': '2' } }
      expect(await violationsOf(update(isKept))).toEqual(['headers.x-a reference'])
    }
    expect(await headers()).toEqual({ 'X-A': '1', 'X-B': '2' })
    // The same origin keeps them (negative control).
    expect(await update({ url: `${origin}/other` })).toMatchObject({ url: `${origin}/other` })
    expect(await headers()).toEqual({ 'X-A': '1', 'X-B': '2' })
    await update({ url: 'https://new.example/hook', headers: { 'X-A': '3' } })
    expect(await headers()).toEqual({ 'X-A': '3' })
    await update({ url: endpoint.url, headers: {} })
    expect(await update({ url: 'https://new.example/hook' })).toMatchObject({ url: 'https://new.example/hook' })
  })

  it('forgets why an endpoint was disabled when it is enabled', async () => {
    const { endpoint, update } = await createUpdated()
    await webhooks.database.query(sql`
      update webhook_endpoint set enabled = false, disabled_reason = 'gone', failing_since = now()
      where store_id = ${endpoint.storeId} and id = ${endpoint.id}`)
    const described = await update({ description: 'still disabled' })
    expect(described).toMatchObject({ enabled: false, disabledReason: WebhookDisabledReason.GONE })
    const enabled = await update({ enabled: true })
    expect(enabled).toMatchObject({ enabled: true, version: 3n })
    expect(enabled?.disabledReason ?? enabled?.failingSince).toBeUndefined()
  })

  it('rejects invalid fields, unknown mask paths, and endpoints of other stores', async () => {
    const { update, endpoint, options } = await createUpdated()
    expect(await violationsOf(update({ url: 'x', eventTypes: [] }))).toEqual(['url format', 'event_types length'])
    const request = { webhookEndpointId: endpoint.id, updateMask: { paths: ['secret'] } }
    expect(await faultOf(webhooks.client.updateWebhookEndpoint(request, options))).toMatchObject({
      code: 'bad-request',
    })
    expect(await faultOf(update({ enabled: false }, inStore()))).toMatchObject({ code: 'not-found' })
  })

  it('validates only what changes, and all of it when the endpoint is enabled', async () => {
    const { endpoint, update } = await createUpdated()
    // As stored before `WEBHOOKS_ALLOW_HTTP` was turned off and an event type was removed.
    const stored = { url: 'http://hooks.example.com', eventTypes: ['ban.created', 'removed.type'] }
    await webhooks.database.query(sql`
      update webhook_endpoint set url = ${stored.url}, event_types = ${stored.eventTypes}
      where store_id = ${endpoint.storeId} and id = ${endpoint.id}`)
    expect(await update({ description: 'x' })).toMatchObject({ ...stored, description: 'x' })
    expect(await update({ ...stored, enabled: false })).toMatchObject({ ...stored, enabled: false })
    expect(await violationsOf(update({ url: 'http://other.example.com' }))).toEqual(['url format'])
    expect(await violationsOf(update({ enabled: true }))).toEqual(['url format', 'event_types.1 enum'])
    const valid = { url: 'https://hooks.example.com', eventTypes: ['ban.created'], enabled: true }
    expect(await update(valid)).toMatchObject(valid)
  })

  it('keeps concurrent changes of different fields', async () => {
    const { update, endpoint, options } = await createUpdated()
    await Promise.all([update({ description: 'x' }), update({ enabled: false })])
    const read = await webhooks.client.getWebhookEndpoint({ webhookEndpointId: endpoint.id }, options)
    expect(read.webhookEndpoint).toMatchObject({ description: 'x', enabled: false, version: 3n })
  })
})

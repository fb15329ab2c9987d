import { eventsOf, faultOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestEndpoint, inStore, useWebhooks } from './harness.ts'

const webhooks = useWebhooks()

describe('ListWebhookEndpoints', () => {
  it('returns pages of the endpoints of one store only', async () => {
    const options = inStore()
    await createTestEndpoint(webhooks, inStore())
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await createTestEndpoint(webhooks, options)).endpoint.id)
    const list = async (page: object) => {
      const { webhookEndpoints, page: info } = await webhooks.client.listWebhookEndpoints(
        { page: { limit: 2, ...page } },
        options,
      )
      return { ids: webhookEndpoints.map(({ id }) => id), info }
    }
    const newest = ids.toReversed()
    expect(await list({})).toMatchObject({ ids: newest.slice(0, 2), info: { hasNext: true, hasPrevious: false } })
    expect(await list({ after: newest[1] })).toMatchObject({ ids: newest.slice(2, 4) })
    expect(await list({ after: newest[3] })).toMatchObject({ ids: newest.slice(4), info: { hasNext: false } })
    expect(await list({ asc: true, before: ids[2] })).toMatchObject({ ids: ids.slice(0, 2) })
  })
})

describe('DeleteWebhookEndpoint', () => {
  it('deletes the endpoint with its secrets, and publishes its last state', async () => {
    const options = inStore()
    const { endpoint } = await createTestEndpoint(webhooks, options)
    const request = { webhookEndpointId: endpoint.id }
    expect(await faultOf(webhooks.client.deleteWebhookEndpoint(request, inStore()))).toMatchObject({
      code: 'not-found',
    })
    await webhooks.client.deleteWebhookEndpoint(request, options)
    expect(await faultOf(webhooks.client.getWebhookEndpoint(request, options))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(webhooks.client.deleteWebhookEndpoint(request, options))).toMatchObject({ code: 'not-found' })
    const secrets = await webhooks.database.query(sql`select 1 from webhook_secret where store_id = ${options.storeId}`)
    expect(secrets).toHaveLength(0)
    expect((await eventsOf(webhooks, endpoint.id))[1]).toMatchObject({
      type: 'webhook_endpoint.deleted',
      version: '2',
      message: { webhookEndpoint: { ...endpoint, version: 2n }, deletedBy: options.actor },
    })
  })
})

describe('GetWebhookEndpoint', () => {
  it('does not find endpoints of other stores', async () => {
    const { endpoint } = await createTestEndpoint(webhooks, inStore())
    const request = { webhookEndpointId: endpoint.id }
    expect(await faultOf(webhooks.client.getWebhookEndpoint(request, inStore()))).toMatchObject({ code: 'not-found' })
  })
})

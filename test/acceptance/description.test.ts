import { createExamples, operationsOf, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, http, contract, shopper } = await useSharedSystem()

const inStore = '/v1/stores/{storeId}'
const listed = Object.entries(contract.description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

describe('/openapi.json', () => {
  it('is an OpenAPI 3.1.1 document that lists every operation', () => {
    expect(contract.description.openapi).toBe('3.1.1')
    // A deliberate lock on the public interface, not derived from the routes: a new operation adds its line.
    expect(listed.map(({ name }) => name).sort()).toEqual(
      [
        'GET /v1/stores/{storeId}',
        'PATCH /v1/stores/{storeId}',
        'GET /v1/stores/{storeId}/customers',
        'POST /v1/stores/{storeId}/customers',
        'GET /v1/stores/{storeId}/customers/{customerId}',
        'PATCH /v1/stores/{storeId}/customers/{customerId}',
        'POST /v1/stores/{storeId}/customers/bulk',
        'GET /v1/stores/{storeId}/customers/lookup',
        'POST /v1/stores/{storeId}/customers/{customerId}/tokens',
        'DELETE /v1/stores/{storeId}/customers/{customerId}/tokens',
        'POST /v1/stores/{storeId}/customers/{customerId}/portal-sessions',
        'GET /v1/stores/{storeId}/bans',
        'POST /v1/stores/{storeId}/bans',
        'GET /v1/stores/{storeId}/bans/{banId}',
        'PATCH /v1/stores/{storeId}/bans/{banId}',
        'DELETE /v1/stores/{storeId}/bans/{banId}',
        'POST /v1/stores/{storeId}/bans/check',
        'GET /v1/stores/{storeId}/custom-variables',
        'POST /v1/stores/{storeId}/custom-variables',
        'GET /v1/stores/{storeId}/custom-variables/{customVariableId}',
        'PATCH /v1/stores/{storeId}/custom-variables/{customVariableId}',
        'DELETE /v1/stores/{storeId}/custom-variables/{customVariableId}',
        'GET /v1/stores/{storeId}/coupons',
        'POST /v1/stores/{storeId}/coupons',
        'GET /v1/stores/{storeId}/coupons/{couponId}',
        'PATCH /v1/stores/{storeId}/coupons/{couponId}',
        'DELETE /v1/stores/{storeId}/coupons/{couponId}',
        'GET /v1/stores/{storeId}/affiliate-links',
        'POST /v1/stores/{storeId}/affiliate-links',
        'GET /v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
        'PATCH /v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
        'DELETE /v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
        'GET /v1/stores/{storeId}/products',
        'POST /v1/stores/{storeId}/products',
        'GET /v1/stores/{storeId}/products/{productId}',
        'PATCH /v1/stores/{storeId}/products/{productId}',
        'DELETE /v1/stores/{storeId}/products/{productId}',
        'GET /v1/stores/{storeId}/tags',
        'POST /v1/stores/{storeId}/tags',
        'GET /v1/stores/{storeId}/tags/{tagId}',
        'PATCH /v1/stores/{storeId}/tags/{tagId}',
        'DELETE /v1/stores/{storeId}/tags/{tagId}',
        'GET /v1/stores/{storeId}/checkouts',
        'POST /v1/stores/{storeId}/checkouts',
        'GET /v1/stores/{storeId}/checkouts/{checkoutId}',
        'POST /v1/stores/{storeId}/checkouts/{checkoutId}/cancel',
        'GET /v1/stores/{storeId}/orders',
        'GET /v1/stores/{storeId}/orders/{orderId}',
        'GET /v1/stores/{storeId}/orders/{orderId}/refunds',
        'POST /v1/stores/{storeId}/orders/{orderId}/refunds',
        'GET /v1/stores/{storeId}/refunds',
        'GET /v1/stores/{storeId}/tax-report',
        'GET /v1/stores/{storeId}/tax-rates',
        'GET /v1/stores/{storeId}/orders/{orderId}/timeline',
        'GET /v1/stores/{storeId}/orders/{orderId}/emails',
        'POST /v1/stores/{storeId}/orders/{orderId}/emails/{emailId}/resend',
        'GET /v1/stores/{storeId}/subscriptions',
        'GET /v1/stores/{storeId}/subscriptions/{subscriptionId}',
        'POST /v1/stores/{storeId}/subscriptions/{subscriptionId}/cancel',
        'GET /v1/stores/{storeId}/gameservers',
        'POST /v1/stores/{storeId}/gameservers',
        'GET /v1/stores/{storeId}/gameservers/{gameServerId}',
        'PATCH /v1/stores/{storeId}/gameservers/{gameServerId}',
        'DELETE /v1/stores/{storeId}/gameservers/{gameServerId}',
        'POST /v1/stores/{storeId}/gameservers/{gameServerId}/reset-token',
        'POST /v1/delivery/gameserver/link',
        'GET /v1/delivery/command-queue',
        'POST /v1/delivery/command-queue',
        'DELETE /v1/delivery/command-queue',
        'POST /v1/delivery/command-queue/acknowledge',
        'DELETE /v1/delivery/command-queue/{attemptId}',
        'POST /v1/delivery/events',
        'GET /v1/stores/{storeId}/delivery/items',
        'POST /v1/stores/{storeId}/delivery/items',
        'GET /v1/stores/{storeId}/customers/{customerId}/delivery/items',
        'POST /v1/stores/{storeId}/customers/{customerId}/delivery/items',
        'DELETE /v1/stores/{storeId}/customers/{customerId}/delivery/items/{deliveryItemId}',
        'GET /v1/stores/{storeId}/orders/{orderId}/delivery/items',
        'GET /v1/stores/{storeId}/gameservers/{gameServerId}/delivery/items',
        'GET /v1/stores/{storeId}/customers/{customerId}/delivery/commands',
        'POST /v1/stores/{storeId}/delivery/commands/unqueue',
        'POST /v1/stores/{storeId}/delivery/commands/{attemptId}/release',
        'POST /v1/stores/{storeId}/gameservers/{gameServerId}/delivery/commands/resend',
        'GET /v1/stores/{storeId}/global-commands',
        'POST /v1/stores/{storeId}/global-commands',
        'PATCH /v1/stores/{storeId}/global-commands/{globalCommandId}',
        'DELETE /v1/stores/{storeId}/global-commands/{globalCommandId}',
        'GET /v1/stores/{storeId}/payments',
        'POST /v1/stores/{storeId}/payments/{paymentId}/mark-paid',
        'GET /v1/stores/{storeId}/payment-settings',
        'PATCH /v1/stores/{storeId}/payment-settings',
        'GET /v1/stores/{storeId}/webhook-endpoints',
        'POST /v1/stores/{storeId}/webhook-endpoints',
        'GET /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
        'PATCH /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
        'DELETE /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}',
        'POST /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/rotate-secret',
        'POST /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/ping',
        'GET /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries',
        'GET /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}',
        'POST /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/deliveries/{deliveryId}/resend',
        'POST /v1/stores/{storeId}/webhook-endpoints/{webhookEndpointId}/resend',
        'GET /v1/stores/{storeId}/dashboard/search',
        'GET /v1/store',
        'GET /v1/store/products',
        'GET /v1/store/products/{idOrSlug}',
        'GET /v1/store/tags',
        'GET /v1/store/cart',
        'DELETE /v1/store/cart',
        'PUT /v1/store/cart/lines',
        'POST /v1/store/cart/checkout',
        'GET /v1/store/customer',
        'GET /v1/store/customer/delivery/items',
        'GET /v1/store/customer/orders',
        'GET /v1/store/customer/orders/{orderId}',
        'GET /v1/store/customer/subscriptions',
        'GET /v1/store/customer/subscriptions/{subscriptionId}',
        'DELETE /v1/store/customer/subscriptions/{subscriptionId}',
        'POST /v1/checkouts',
        'POST /v1/store/customer/auth',
      ].sort(),
    )
  })

  it('names the authentication scheme of the management API', () => {
    expect(Object.keys(contract.description.components.securitySchemes ?? {})).toContain('APIKey')
  })

  it.each(listed)('describes what $name does, its responses and its errors', ({ name, operation }) => {
    expect(operation?.summary).toMatch(/\S/)
    expect(operation?.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
    const { responses = {} } = operation ?? {}
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(successes).toHaveLength(1)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500', '503']))
    if (name.includes('/v1/stores/') || name.endsWith('/auth')) expect(responses).toHaveProperty('429')
    for (const [status, { content }] of Object.entries(responses)) {
      if (status === '204' || status === '304') expect(content).toBeUndefined()
      else expect(content?.['application/json']?.schema, status).toBeDefined()
    }
    const [success = ''] = successes
    if (success !== '204') {
      const media = responses[success]?.content?.['application/json']
      expect(media?.example ?? media?.examples).toBeDefined()
    }
  })
})

describe('the example of an error', () => {
  /** The documented message of an error of an operation. */
  function documented(path: string, method: 'get' | 'post', status: number, code: string): unknown {
    const media = contract.description.paths[path]?.[method]?.responses[status]?.content?.['application/json']
    const examples = media?.examples as Record<string, { value: { message: string } }> | undefined
    return examples?.[code]?.value.message
  }

  it('shows the message that the services send', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const headers = { 'x-service-store-id': store.id }
    const json = { platform: 'steam', id: '76561197960287930' }
    const sent = await http.request<{ message: string }>('POST', '/v1/store/customer/auth', { headers, json })
    expect(sent.body.message).toBe(documented('/v1/store/customer/auth', 'post', 403, 'platform-not-allowed'))
    const path = `${inStore}/checkouts/{checkoutId}`
    const missing = await store.get<{ message: string }>('/checkouts/411486491630370816')
    expect(missing.body.message).toBe(documented(path, 'get', 404, 'not-found'))
  })
})

describe('the example bodies', () => {
  const operations = operationsOf(contract.description)
  const examples = createExamples(operations, shopper)
  const creates = operations.filter(({ method, template }) => method === 'POST' && template.startsWith(inStore))
  const own = creates.filter(({ bodyExample, children }) => bodyExample !== undefined && children.length === 0)

  it('work unchanged, one after another in one store', async () => {
    const store = await createStore()
    const sendable = own.filter((operation) => !examples.namesRecords(operation))
    for (const { name, template, bodyExample, success } of sendable) {
      const { status } = await store.post(template.slice(inStore.length), bodyExample)
      expect([name, status]).toEqual([name, success])
    }
    expect(sendable.length).toBeGreaterThan(6)
  })

  it('state where ids of existing records must be inserted', () => {
    const naming = own.filter(examples.namesRecords).map(({ name }) => listed.find((one) => one.name === name))
    expect(naming.length).toBeGreaterThan(0)
    const saying = naming.filter((one) => one?.operation?.description?.includes('with your own'))
    expect(saying).toEqual(naming)
  })
})

describe('other pages', () => {
  it('/docs loads nothing from other hosts', async () => {
    const page = await http.request('GET', '/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    const sources = [...page.text.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(([, source]) => source ?? '')
    expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([])
    for (const source of sources.filter((one) => one.startsWith('/'))) {
      expect((await http.request('GET', source)).status, source).toBe(200)
    }
  })

  it.each(['/healthz', '/readyz'])('%s returns 200 while everything is available', async (path) => {
    expect((await http.request('GET', path)).status).toBe(200)
  })

  it('/metrics counts requests by route and status without ids', async () => {
    await http.request('GET', '/v1/stores/411486491630370816/customers')
    const { status, text } = await http.request('GET', '/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/http_server_request_duration_seconds_count\{.*\/v1\/stores\/\{storeId\}\/customers.*\}/)
    expect(text).not.toContain('411486491630370816')
  })
})

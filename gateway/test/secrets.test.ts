import { expect, it } from 'vitest'
import { endpoints } from '../src/routes/index.ts'
import { exampleRequest, useGateway } from './harness.ts'
import { newApiKey } from './ids.ts'

const gateway = useGateway()

it('no key, token or body reaches the log, on success or failure', async () => {
  const canary = 'canary-5f3a9c'
  const secrets = [canary]
  for (const endpoint of endpoints) {
    const store = gateway.newStore()
    const { authorization, token } = store.signIn()
    const unknown = newApiKey()
    secrets.push(store.apiKey, token, unknown)
    const { method, path, input } = exampleRequest(endpoint, store)
    const misuses: Record<string, string>[] = [
      {},
      { authorization },
      { authorization: `APIKey ${unknown}` },
      { authorization: store.apiKey },
      { 'x-request-id': store.apiKey },
      { traceparent: token, 'idempotency-key': token },
      { 'content-type': token },
      { 'x-service-store-id': token },
    ]
    for (const headers of misuses)
      await gateway.request(method, path, { ...input, headers: { ...input.headers, ...headers } })
    await gateway.request(method, `${path}?token=${token}&t=${canary}`, input)
    await gateway.request(method, path, {
      ...input,
      json: { name: canary, platform: canary, id: canary, steam_id: token },
    })
    await gateway.request('GET', `/v1/stores/${token}/${canary}`)
    const broken = () => Promise.reject(new Error(`something about ${token} broke`))
    Object.assign(gateway.services.overrides, { getCustomer: broken, createCustomer: broken, verifyToken: broken })
    await gateway.request(method, path, input)
    for (const name of ['getCustomer', 'createCustomer', 'verifyToken'] as const)
      delete gateway.services.overrides[name]
  }
  const log = gateway.logLines.join('')
  expect(log).toContain('/v1/stores/{storeId}/customers')
  for (const secret of secrets) expect(log.includes(secret), secret).toBe(false)
})

it('every request logs one line, with its outcome and ids', async () => {
  const store = gateway.newStore()
  gateway.logLines.length = 0
  const { headers } = await store.send('GET', '/customers/0')
  await expect.poll(() => gateway.logLines.length).toBeGreaterThan(0)
  expect(gateway.logLines).toHaveLength(1)
  expect(JSON.parse(gateway.logLines[0] ?? '')).toMatchObject({
    msg: 'request',
    http_method: 'GET',
    route: '/v1/stores/{storeId}/customers/{customerId}',
    status: 400,
    code: 'validation-failed',
    store_id: store.id,
    api_key_id: store.keyId,
    request_id: headers['x-request-id'],
    duration_ms: expect.any(Number),
  })
})

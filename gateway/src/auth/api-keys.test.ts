import { errors } from '@storekeep/common/errors'
import { createMetrics } from '@storekeep/common/telemetry'
import { expect, it } from 'vitest'
import { newApiKey } from '../../test/ids.ts'
import { createApiKeys } from './api-keys.ts'

it('a flood of generated keys evicts no valid key', async () => {
  const good = newApiKey()
  const verified: string[] = []
  const apiKeys = createApiKeys({
    stores: {
      verifyApiKey: async ({ key = '' }) => {
        verified.push(key)
        if (key !== good) throw errors.unauthorized()
        return { $typeName: 'storekeep.stores.v1.VerifyApiKeyResponse', keyId: '1', storeId: '2', scopes: [] }
      },
    },
    redis: { subscribe: () => {} },
    cacheMs: 5000,
    checks: createMetrics({ service: 'test' }).counter('checks_total', 'x', ['outcome']),
    now: () => 0,
  })
  const check = (key: string) => apiKeys.check(key, { requestId: 'r', traceparent: '' }, () => {})
  await check(good)
  const generated = Array.from({ length: 10_001 }, newApiKey)
  for (const key of generated) await expect(check(key)).rejects.toMatchObject({ code: 'unauthorized' })
  await check(good)
  await expect(check(generated.at(-1) ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(verified).toHaveLength(10_002)
})

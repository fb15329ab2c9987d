import { errors } from '@storekeep/common/errors'
import { createMetrics } from '@storekeep/common/telemetry'
import { expect, it } from 'vitest'
import { newApiKey } from '../../test/ids.ts'
import { createApiKeys } from './api-keys.ts'

it('a flood of made-up keys displaces no key that is known', async () => {
  const good = newApiKey()
  const asked: string[] = []
  const apiKeys = createApiKeys({
    stores: {
      verifyApiKey: async ({ key = '' }) => {
        asked.push(key)
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
  const madeUp = Array.from({ length: 10_001 }, newApiKey)
  for (const key of madeUp) await expect(check(key)).rejects.toMatchObject({ code: 'unauthorized' })
  await check(good)
  await expect(check(madeUp.at(-1) ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(asked).toHaveLength(10_002)
})

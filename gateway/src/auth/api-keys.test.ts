import type { Clock } from '@storekeep/common/clock'
import { errors } from '@storekeep/common/errors'
import { createMetrics } from '@storekeep/common/telemetry'
import { expect, it } from 'vitest'
import { newApiKey } from '../../test/ids.ts'
import { createApiKeys } from './api-keys.ts'

it('a flood of generated keys evicts no valid key', async () => {
  const good = newApiKey()
  const verified: string[] = []
  const check = checkWith({
    isValid: (key) => {
      verified.push(key)
      return key === good
    },
  })
  await check(good)
  const generated = Array.from({ length: 10_001 }, newApiKey)
  for (const key of generated) await expect(check(key)).rejects.toMatchObject({ code: 'unauthorized' })
  await check(good)
  await expect(check(generated.at(-1) ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(verified).toHaveLength(10_002)
})

it.each([
  ['is rejected five seconds later', 'monotonic', 'unauthorized'],
  ['is still accepted then by a cache on the wall clock (negative control)', 'wall', undefined],
] as const)('a key revoked when the wall clock goes back %s', async (_, cacheClock, expected) => {
  const time = { wall: Date.now(), monotonic: 0 }
  const clock = { now: () => new Date(time.wall), monotonicMs: () => time[cacheClock] }
  let isRevoked = false
  const check = checkWith({ clock, isValid: () => !isRevoked })
  const key = newApiKey()
  await check(key)
  isRevoked = true
  time.wall += 5_001 - 3_600_000
  time.monotonic += 5_001
  const code = await check(key).then(
    () => undefined,
    (error) => error.code,
  )
  expect(code).toBe(expected)
})

/** Checks keys against a stores service that accepts the valid ones, without any message from Redis. */
function checkWith({ isValid, clock = frozen }: { isValid: (key: string) => boolean; clock?: Clock }) {
  const apiKeys = createApiKeys({
    stores: {
      verifyApiKey: async ({ key = '' }) => {
        if (!isValid(key)) throw errors.unauthorized()
        return { $typeName: 'storekeep.stores.v1.VerifyApiKeyResponse', keyId: '1', storeId: '2', scopes: [] }
      },
    },
    cells: new Set([0]),
    redis: { subscribe: () => {} },
    cacheMs: 5000,
    checks: createMetrics({ service: 'test' }).counter('checks_total', 'x', ['outcome']),
    clock,
  })
  return (key: string) => apiKeys.check(key, { requestId: 'r', traceparent: '' }, () => {})
}

const frozen: Clock = { now: () => new Date(0), monotonicMs: () => 0 }

import { createLogger } from '@storekeep/common/log'
import { createRedis, type Redis } from '@storekeep/common/redis'
import { createMetrics } from '@storekeep/common/telemetry'
import { useServerProxies } from '@storekeep/common/testing'
import { gameServerEpochKey, gameServerTokenCacheMs } from '@storekeep/proto/conventions/game-server-token'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTokenEpochs } from '../src/game-servers/adapters/token-epochs.ts'
import { createTestServer, inStore, type TestServer, useDelivery } from './harness.ts'

const servers = useServerProxies()
let redisUrl = ''
const delivery = useDelivery(async (env) => {
  redisUrl = String(env.REDIS_URL)
  return servers.between(env)
})

// A gateway stays connected to Redis while the delivery service is cut off from it.
let redis: Redis
beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'silent' })
  redis = createRedis({ url: redisUrl, keyPrefix: delivery.config.redis.keyPrefix, commandTimeoutMs: 2000, log })
  await vi.waitUntil(() => redis.isReady(), { timeout: 60_000 })
})
afterAll(() => redis.close())

/** Checks tokens as a gateway does: caches a check, and compares it with the minimum epoch on each use. */
function aGateway(cacheMs: number = gameServerTokenCacheMs) {
  const cached = new Map<string, { isEnabled: boolean; key: string; epoch: bigint; expiresAt: number }>()
  async function fromCache(token: string) {
    const known = cached.get(token)
    if (!known || performance.now() >= known.expiresAt) return undefined
    const [minimum] = await redis.getAll([known.key])
    return BigInt(minimum ?? 0) <= known.epoch ? known : undefined
  }
  return async (token: string): Promise<string> => {
    const known = await fromCache(token)
    if (known) return known.isEnabled ? 'accepted' : 'disabled'
    const expiresAt = performance.now() + cacheMs
    const check = await delivery.client.verifyGameServerToken({ token }, inStore()).catch(() => undefined)
    if (!check) return 'rejected'
    const key = gameServerEpochKey(check.storeId, check.gameServerId)
    cached.set(token, { isEnabled: check.enabled, key, epoch: check.epoch, expiresAt })
    return check.enabled ? 'accepted' : 'disabled'
  }
}

const changes = [
  ({ gameServerId, options }: TestServer) => delivery.client.resetGameServerToken({ gameServerId }, options),
  ({ gameServerId, options }: TestServer) => {
    const gameServer = { name: '', enabled: false }
    return delivery.client.updateGameServer({ gameServerId, gameServer, updateMask: { paths: ['enabled'] } }, options)
  },
  ({ gameServerId, options }: TestServer) => delivery.client.deleteGameServer({ gameServerId }, options),
]

/** The outcome of a cached check of each token after its change. */
async function outcomesAfterChanges(beforeChanges = () => {}) {
  const check = aGateway()
  const prepared = await Promise.all(
    changes.map(async (change) => ({ change, server: await createTestServer(delivery) })),
  )
  for (const { server } of prepared) expect(await check(server.token)).toBe('accepted')
  beforeChanges()
  return await Promise.all(
    prepared.map(async ({ change, server }) => {
      await change(server)
      return await check(server.token)
    }),
  )
}

describe('a token that gateways have cached', () => {
  const outcomes = ['rejected', 'disabled', 'rejected']

  it('is no longer accepted once its reset, or the disabling or deletion of its server, was confirmed', async () => {
    expect(await outcomesAfterChanges()).toEqual(outcomes)
  })

  it('is no longer accepted then while Redis cannot be written', async () => {
    expect(await outcomesAfterChanges(() => servers.redis.cut())).toEqual(outcomes)
  })
})

it('a token whose epoch cannot be written to Redis is accepted if the response does not wait (control)', async () => {
  const failing = { run: () => Promise.reject(new Error('Redis is unavailable')) }
  const log = createLogger({ service: 'test', level: 'silent' })
  const metrics = () => createMetrics({ service: 'test', processMetrics: false })
  const outcomeAfter = async (waitMs: number) => {
    const server = await createTestServer(delivery)
    const check = aGateway(2000)
    await check(server.token)
    servers.redis.cut()
    // The change is committed; only the notice of the gateways differs.
    await delivery.database.query(revoked(server))
    await createTokenEpochs({ redis: failing, log, metrics: metrics(), waitMs }).raise({
      ...server.server,
      version: 2n,
    })
    return await check(server.token)
  }
  expect(await outcomeAfter(2000)).toBe('rejected')
  expect(await outcomeAfter(0)).toBe('accepted')
})

function revoked({ storeId, gameServerId }: TestServer) {
  return sql`delete from game_server where store_id = ${storeId} and id = ${gameServerId}`
}

import { faultOf, isPublished, startTcpProxy, type TcpProxy } from '@storekeep/common/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTestBan, inStore, randomId, useBans } from './harness.ts'

let postgres: TcpProxy
let nats: TcpProxy
let redis: TcpProxy
const bans = useBans(async (env) => {
  postgres = await startTcpProxy(env.DATABASE_URL ?? '')
  nats = await startTcpProxy(env.NATS_URL ?? '')
  redis = await startTcpProxy(env.REDIS_URL ?? '')
  return { ...env, DATABASE_URL: postgres.url, NATS_URL: nats.url, REDIS_URL: redis.url }
})
afterEach(() => {
  for (const proxy of [postgres, nats, redis]) proxy.pass()
})
afterAll(() => Promise.all([postgres, nats, redis].map((proxy) => proxy.close())))

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)('nobody is said to be free to buy (%s)', async (how) => {
    const options = inStore(randomId(), { deadlineMs: 2000 })
    const { id, identities } = await createTestBan(bans, options)
    const check = () => bans.client.checkBan({ identities }, options)
    postgres[how]()
    expect(await faultOf(check())).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
    expect(await faultOf(createTestBan(bans, options))).toMatchObject({ code: 'service-unavailable' })
    postgres.pass()
    const banId = () =>
      check().then(
        (answer) => answer.banId,
        () => 'unavailable',
      )
    await expect.poll(banId).toBe(id)
  })

  it('is not ready, and ready again when it is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${bans.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    postgres.cut()
    await expect.poll(readyz).toBe(503)
    postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

describe('without NATS and Redis', () => {
  it('everything works, and the events leave when NATS is back', async () => {
    nats.cut()
    redis.cut()
    const options = inStore()
    const { id, identities } = await createTestBan(bans, options)
    expect((await bans.client.checkBan({ identities }, options)).banId).toBe(id)
    expect(await isPublished(bans, id)).toBe(false)
    nats.pass()
    await expect.poll(() => isPublished(bans, id)).toBe(true)
  })
})

import { faultOf, isPublished, randomId, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestBan, inStore, useBans } from './harness.ts'

const servers = useServerProxies()
const bans = useBans(servers.between)

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)('CheckBan fails instead of reporting no ban (%s)', async (how) => {
    const options = inStore(randomId(), { deadlineMs: 2000 })
    const { id, identities } = await createTestBan(bans, options)
    const check = () => bans.client.checkBan({ identities }, options)
    servers.postgres[how]()
    expect(await faultOf(check())).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
    expect(await faultOf(createTestBan(bans, options))).toMatchObject({ code: 'service-unavailable' })
    servers.postgres.pass()
    const banId = () =>
      check().then(
        (response) => response.banId,
        () => 'unavailable',
      )
    await expect.poll(banId).toBe(id)
  })

  it('the service is not ready until Postgres is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${bans.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    servers.postgres.cut()
    await expect.poll(readyz).toBe(503)
    servers.postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

describe('without NATS', () => {
  it('calls succeed and events are published once it is back', async () => {
    servers.nats.cut()
    const options = inStore()
    const { id, identities } = await createTestBan(bans, options)
    expect((await bans.client.checkBan({ identities }, options)).banId).toBe(id)
    expect(await isPublished(bans, id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(bans, id)).toBe(true)
  })
})

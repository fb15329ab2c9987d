import { faultOf, isPublished, startTcpProxy, type TcpProxy } from '@storekeep/common/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

let postgres: TcpProxy
let nats: TcpProxy
let redis: TcpProxy
const customers = useCustomers(async (env) => {
  postgres = await startTcpProxy(env.DATABASE_URL ?? '')
  nats = await startTcpProxy(env.NATS_URL ?? '')
  redis = await startTcpProxy(env.REDIS_URL ?? '')
  return { ...env, DATABASE_URL: postgres.url, NATS_URL: nats.url, REDIS_URL: redis.url }
})
afterEach(() => {
  for (const proxy of [postgres, nats, redis]) proxy.pass()
})
afterAll(() => Promise.all([postgres, nats, redis].map((proxy) => proxy.close())))

async function aToken() {
  const options = inStore(customers.stores.add())
  const { id: customerId } = await createTestCustomer(customers, options)
  const { token } = await customers.client.mintToken({ customerId }, options)
  return {
    customerId,
    verify: () => customers.client.verifyToken({ token }, options),
    revoke: () => customers.client.revokeTokens({ customerId }, options),
    mint: () => customers.client.mintToken({ customerId }, options),
  }
}

describe('without Redis', () => {
  it.each(['cut', 'stall'] as const)('a revocation is as true as ever (%s)', async (how) => {
    const { verify, revoke } = await aToken()
    redis[how]()
    await verify()
    await revoke()
    expect(await faultOf(verify())).toMatchObject({ code: 'unauthorized' })
    expect(customers.logLines.some((line) => line.includes('did not reach Redis'))).toBe(true)
  })
})

describe('without NATS', () => {
  it('everything works, and the events leave when it is back', async () => {
    nats.cut()
    const { customerId, verify } = await aToken()
    await verify()
    expect(await isPublished(customers, customerId)).toBe(false)
    nats.pass()
    await expect.poll(() => isPublished(customers, customerId)).toBe(true)
  })
})

describe('without Postgres', () => {
  it('no good token is called unauthorized, none is accepted, and all is well when it is back', async () => {
    const { verify, mint, revoke } = await aToken()
    postgres.cut()
    for (const call of [verify, verify, verify, mint, revoke]) {
      expect(await faultOf(call())).toMatchObject({
        code: 'service-unavailable',
        retryAfterSeconds: expect.any(Number),
      })
    }
    const storeId = customers.stores.add()
    const signIn = customers.client.signIn({ platform: 'minecraft', id: 'Notch' }, inStore(storeId))
    expect(await faultOf(signIn)).toMatchObject({ code: 'service-unavailable' })
    // What the text alone can tell is still told.
    const forged = customers.client.verifyToken({ token: 'skcus_nonsense' }, inStore())
    expect(await faultOf(forged)).toMatchObject({ code: 'unauthorized' })
    postgres.pass()
    await expect
      .poll(() =>
        verify().then(
          ({ claimed }) => claimed,
          () => 'refused',
        ),
      )
      .toBe(false)
  })

  it('it is not ready, and ready again when it is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${customers.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    postgres.cut()
    await expect.poll(readyz).toBe(503)
    postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

import { faultOf, isPublished, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const servers = useServerProxies()
const customers = useCustomers(servers.between)

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
  it.each(['cut', 'stall'] as const)('revocations still take effect (%s)', async (how) => {
    const { verify, revoke } = await aToken()
    servers.redis[how]()
    await verify()
    await revoke()
    expect(await faultOf(verify())).toMatchObject({ code: 'unauthorized' })
    expect(customers.logLines.some((line) => line.includes('redis write of a token revocation failed'))).toBe(true)
  })
})

describe('without NATS', () => {
  it('calls succeed and events are published once it is back', async () => {
    servers.nats.cut()
    const { customerId, verify } = await aToken()
    await verify()
    expect(await isPublished(customers, customerId)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(customers, customerId)).toBe(true)
  })
})

describe('without Postgres', () => {
  it('valid tokens are neither rejected nor accepted until it is back', async () => {
    const { verify, mint, revoke } = await aToken()
    servers.postgres.cut()
    for (const call of [verify, verify, verify, mint, revoke]) {
      expect(await faultOf(call())).toMatchObject({
        code: 'service-unavailable',
        retryAfterSeconds: expect.any(Number),
      })
    }
    const storeId = customers.stores.add()
    const signIn = customers.client.signIn({ platform: 'minecraft', id: 'Notch' }, inStore(storeId))
    expect(await faultOf(signIn)).toMatchObject({ code: 'service-unavailable' })
    // Malformed tokens are still rejected, without the database.
    const forged = customers.client.verifyToken({ token: 'skcus_nonsense' }, inStore())
    expect(await faultOf(forged)).toMatchObject({ code: 'unauthorized' })
    servers.postgres.pass()
    await expect
      .poll(() =>
        verify().then(
          ({ claimed }) => claimed,
          () => 'rejected',
        ),
      )
      .toBe(false)
  })

  it('the service is not ready until it is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${customers.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    servers.postgres.cut()
    await expect.poll(readyz).toBe(503)
    servers.postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

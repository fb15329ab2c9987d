import { createHmac } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import { decodeSecret, encodeSecret } from '@storekeep/common/crypto'
import { faultOf, randomId } from '@storekeep/common/testing'
import { TokenClaimsSchema } from '@storekeep/proto/customers/v1/token'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()

async function aToken() {
  const options = inStore(customers.stores.add())
  const customer = await createTestCustomer(customers, options)
  const { token } = await customers.client.mintToken({ customerId: customer.id }, options)
  return { options, customer, token }
}

/** A token with a valid checksum and these claims, signed with this key. */
function forge(
  key: Buffer,
  claims: { storeId: string; customerId: string; version?: number; expiresAt?: number },
): string {
  const expiresAt = Math.floor(Date.now() / 1000) + 1000
  const bytes = toBinary(TokenClaimsSchema, create(TokenClaimsSchema, { version: 1, keyId: 1, expiresAt, ...claims }))
  const mac = createHmac('sha256', key).update(bytes).digest()
  return encodeSecret('skcus', Buffer.concat([bytes, mac]))
}

describe('VerifyToken', () => {
  it('returns the current customer', async () => {
    const { options, customer, token } = await aToken()
    expect(await customers.client.verifyToken({ token }, options)).toMatchObject({ customer, claimed: false })
    const change = { customerId: customer.id, customer: { name: 'Ada' }, updateMask: { paths: ['name'] } }
    const updated = await customers.client.updateCustomer(change, options)
    expect((await customers.client.verifyToken({ token }, options)).customer).toEqual(updated.customer)
  })

  it.each(['', 'skcus_', 'skapi_abc', 'nonsense', 'skcus_AAAA000000', 'x'.repeat(100_000)])(
    'rejects malformed text',
    async (token) => {
      const fault = await faultOf(customers.client.verifyToken({ token }, inStore()))
      expect(fault).toMatchObject({ code: 'unauthorized', violations: [] })
    },
  )

  it('rejects a token with any bit flipped and a valid checksum', async () => {
    const { options, token } = await aToken()
    const bytes = decodeSecret('skcus', token) ?? Buffer.alloc(0)
    expect(bytes.length).toBeGreaterThan(60)
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const call = customers.client.verifyToken({ token: encodeSecret('skcus', changed) }, options)
      expect(await faultOf(call)).toMatchObject({ code: 'unauthorized' })
    }
  })

  it('rejects claims with another key, another layout or an unknown customer', async () => {
    const { options, customer } = await aToken()
    const claims = { storeId: options.storeId, customerId: customer.id }
    const [key] = customers.config.tokens.keys
    const secret = key?.secret ?? Buffer.alloc(0)
    const verify = (token: string) => customers.client.verifyToken({ token }, options)
    expect(await verify(forge(secret, claims))).toMatchObject({ customer })
    expect(await faultOf(verify(forge(Buffer.alloc(32), claims)))).toMatchObject({ code: 'unauthorized' })
    expect(await faultOf(verify(forge(secret, { ...claims, version: 2 })))).toMatchObject({ code: 'unauthorized' })
    expect(await faultOf(verify(forge(secret, { ...claims, expiresAt: 1 })))).toMatchObject({ code: 'unauthorized' })
    const unknown = { ...claims, customerId: randomId() }
    expect(await faultOf(verify(forge(secret, unknown)))).toMatchObject({ code: 'unauthorized' })
  })

  it('returns forbidden for a token of another store and not-found for an unknown store', async () => {
    const { token } = await aToken()
    const other = customers.client.verifyToken({ token }, inStore(customers.stores.add()))
    expect(await faultOf(other)).toMatchObject({ code: 'forbidden' })
    expect(await faultOf(customers.client.verifyToken({ token }, inStore()))).toMatchObject({ code: 'not-found' })
  })

  it('returns service-unavailable when it cannot tell an unknown store from another one', async () => {
    const { options, token } = await aToken()
    customers.stores.isDown = true
    const call = customers.client.verifyToken({ token }, inStore())
    expect(await faultOf(call)).toMatchObject({ code: 'service-unavailable' })
    expect(await customers.client.verifyToken({ token }, options)).toMatchObject({ claimed: false })
    customers.stores.isDown = false
  })

  it('counts checks by outcome', async () => {
    const { options, token } = await aToken()
    await customers.client.verifyToken({ token }, options)
    const metrics = await (await fetch(`http://127.0.0.1:${customers.running.metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/token_checks_total\{outcome="accepted",application="storekeep",service="customers"\} \d+/)
    expect(metrics).toMatch(/token_checks_total\{outcome="forged",application="storekeep",service="customers"\} \d+/)
  })
})

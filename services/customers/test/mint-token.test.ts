import { faultOf, randomId, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()
const day = 24 * 3600 * 1000

describe('MintToken', () => {
  it('mints a token that is valid for 30 days', async () => {
    const options = inStore()
    const customer = await createTestCustomer(customers, options)
    const { token } = await customers.client.mintToken({ customerId: customer.id }, options)
    expect(token).toMatch(/^skcus_[\w-]{100,160}$/)
    const verify = () => customers.client.verifyToken({ token }, options)
    expect(await verify()).toMatchObject({ customer, claimed: false })
    customers.clock.advance(30 * day - 5000)
    expect(await verify()).toMatchObject({ customer })
    // One minute of leeway for clock differences.
    customers.clock.advance(55_000)
    expect(await verify()).toMatchObject({ customer })
    customers.clock.advance(10_000)
    expect(await faultOf(verify())).toMatchObject({ code: 'unauthorized' })
  })

  it('mints a different token each time', async () => {
    const options = inStore()
    const { id: customerId } = await createTestCustomer(customers, options)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => retryUnavailable(() => customers.client.mintToken({ customerId }, options))),
    )
    expect(new Set(responses.map(({ token }) => token)).size).toBe(20)
  })

  it('returns the same token for a repeated key and stores it only encrypted', async () => {
    const options = withKey(inStore())
    const { id: customerId } = await createTestCustomer(customers, inStore(options.storeId))
    const first = await customers.client.mintToken({ customerId }, options)
    expect(await customers.client.mintToken({ customerId }, options)).toEqual(first)
    await customers.client.revokeTokens({ customerId }, inStore(options.storeId))
    expect(await customers.client.mintToken({ customerId }, options)).toEqual(first)
    const stored = await customers.database.query<{ response: Buffer }>(sql`select response from idempotency_record`)
    expect(stored.length).toBeGreaterThan(0)
    for (const { response } of stored) expect(response.includes(first.token.slice(0, 20))).toBe(false)
    expect(customers.logLines.join('\n')).not.toContain(first.token)
  })

  it('returns not-found for a customer of another store and for an unknown id', async () => {
    const { id: customerId } = await createTestCustomer(customers, inStore())
    expect(await faultOf(customers.client.mintToken({ customerId }, inStore()))).toMatchObject({ code: 'not-found' })
    const unknown = customers.client.mintToken({ customerId: randomId() }, withKey(inStore()))
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(customers.client.mintToken({ customerId: 'x' }, inStore()))).toEqual([
      'customer_id format',
    ])
  })
})

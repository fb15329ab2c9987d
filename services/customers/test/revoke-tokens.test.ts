import {
  eventsOf,
  faultOf,
  operator,
  randomId,
  retryUnavailable,
  violationsOf,
  withKey,
} from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, minimumEpoch, missedRedisWrites, useCustomers } from './harness.ts'

const customers = useCustomers()

async function aCustomer() {
  const options = inStore()
  const { id: customerId } = await createTestCustomer(customers, options)
  return {
    options,
    customerId,
    mint: async () => (await customers.client.mintToken({ customerId }, options)).token,
    revoke: () => customers.client.revokeTokens({ customerId }, options),
    outcome: (token: string) =>
      customers.client.verifyToken({ token }, options).then(
        () => 'accepted',
        (fault: { code: string }) => fault.code,
      ),
  }
}

/** Reads the minimum epochs as gateways do. */
describe('RevokeTokens', () => {
  it('invalidates every earlier token and no later one', async () => {
    const { mint, revoke, outcome } = await aCustomer()
    const before = await Promise.all([mint(), mint()])
    await revoke()
    expect(await Promise.all(before.map(outcome))).toEqual(['unauthorized', 'unauthorized'])
    expect(await outcome(await mint())).toBe('accepted')
  })

  it('leaves other customers alone', async () => {
    const [one, other] = [await aCustomer(), await aCustomer()]
    const token = await other.mint()
    await one.revoke()
    expect(await other.outcome(token)).toBe('accepted')
  })

  it('can be repeated and needs no existing token', async () => {
    const { customerId, options, revoke } = await aCustomer()
    await revoke()
    await revoke()
    expect(await minimumEpoch(customers, options.storeId, customerId)).toBe('2')
    const { customer } = await customers.client.getCustomer({ customerId }, options)
    expect(customer?.updatedAt).toBeUndefined()
  })

  it('never lowers the epoch in Redis, regardless of the order in which concurrent calls end', async () => {
    for (;;) {
      const { customerId, options, revoke, mint, outcome } = await aCustomer()
      const before = missedRedisWrites(customers)
      await Promise.all(Array.from({ length: 16 }, revoke))
      expect(await outcome(await mint())).toBe('accepted')
      // Writes to Redis can time out. Only a round without a timeout shows the order.
      if (missedRedisWrites(customers) > before) continue
      expect(await minimumEpoch(customers, options.storeId, customerId)).toBe('16')
      return
    }
  })

  it('never accepts an old token after it returned, during concurrent mints and checks, in 100 rounds', async () => {
    const { mint, revoke, outcome } = await aCustomer()
    const wrong: string[] = []
    for (let round = 0; round < 100; round += 1) {
      const token = await mint()
      const during = Promise.all([mint(), outcome(token), mint()])
      await revoke()
      const after = await Promise.all([outcome(token), mint().then(outcome)])
      if (after[0] !== 'unauthorized' || after[1] !== 'accepted') wrong.push(after.join())
      await during
    }
    expect(wrong).toEqual([])
  })

  it('returns not-found for a customer of another store and for an unknown id', async () => {
    const { customerId, mint, outcome } = await aCustomer()
    const token = await mint()
    const foreign = customers.client.revokeTokens({ customerId }, inStore())
    expect(await faultOf(foreign)).toMatchObject({ code: 'not-found' })
    expect(await outcome(token)).toBe('accepted')
    const unknown = customers.client.revokeTokens({ customerId: randomId() }, inStore())
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(customers.client.revokeTokens({ customerId: 'x' }, inStore()))).toEqual([
      'customer_id format',
    ])
  })

  it('publishes the customer and the new epoch', async () => {
    const { customerId, revoke, options } = await aCustomer()
    await revoke()
    expect(await eventsOf(customers, customerId)).toMatchObject([
      { type: 'customer.created', version: '1' },
      {
        type: 'customer.tokens_revoked',
        version: '2',
        storeId: options.storeId,
        message: { tokenEpoch: 1, customer: { id: customerId, version: 2n } },
      },
    ])
  })
})

describe('RevokeStoreTokens', () => {
  it('invalidates the tokens of the whole store and of no other', async () => {
    const [one, elsewhere] = [await aCustomer(), await aCustomer()]
    const [token, foreign] = [await one.mint(), await elsewhere.mint()]
    expect(await customers.client.revokeStoreTokens({}, operator({ storeId: one.options.storeId }))).toMatchObject({
      tokenEpoch: 1,
    })
    expect(await one.outcome(token)).toBe('unauthorized')
    expect(await elsewhere.outcome(foreign)).toBe('accepted')
    expect(await one.outcome(await one.mint())).toBe('accepted')
    expect(await minimumEpoch(customers, one.options.storeId)).toBe('1')
  })

  it('and RevokeTokens do not mask each other', async () => {
    const { options, mint, revoke, outcome } = await aCustomer()
    await revoke()
    const afterCustomer = await mint()
    await customers.client.revokeStoreTokens({}, operator({ storeId: options.storeId }))
    const afterStore = await mint()
    expect(await outcome(afterCustomer)).toBe('unauthorized')
    await revoke()
    expect(await outcome(afterStore)).toBe('unauthorized')
  })

  it('raises and publishes the epoch once for each of 16 concurrent calls', async () => {
    const options = operator({ storeId: randomId() })
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => {
        const keyed = withKey(options)
        return retryUnavailable(() => customers.client.revokeStoreTokens({}, keyed))
      }),
    )
    const epochs = responses.map(({ tokenEpoch }) => tokenEpoch).sort((a, b) => a - b)
    expect(epochs).toEqual(Array.from({ length: 16 }, (_, n) => n + 1))
    expect(await minimumEpoch(customers, options.storeId ?? '')).toBe('16')
    const events = await eventsOf(customers, options.storeId)
    expect(events.map(({ type, version }) => `${type} ${version}`)).toEqual(
      epochs.map((n) => `store_tokens.revoked ${n}`),
    )
  })

  it('works while the stores service is down', async () => {
    customers.stores.isDown = true
    expect(await customers.client.revokeStoreTokens({}, operator({ storeId: randomId() }))).toMatchObject({
      tokenEpoch: 1,
    })
    customers.stores.isDown = false
  })
})

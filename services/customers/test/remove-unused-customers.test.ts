import { publishEvent } from '@storekeep/common/events'
import { countEvents, eventsOf, faultOf, randomId } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { BanCreatedSchema } from '@storekeep/proto/bans/v1/events'
import { CheckoutSessionCreatedSchema } from '@storekeep/proto/checkout/v1/events'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { removeAll } from '../src/customers/tasks/remove-unused-customers.ts'
import { inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()
const day = 24 * 3_600_000

/** Signs in by a typed name and returns the claimed customer. */
async function signIn(storeId: string, name: string): Promise<{ id: string; token: string }> {
  const { customerToken: token } = await customers.client.signIn({ platform: 'minecraft', id: name }, inStore(storeId))
  const { customer } = await customers.client.verifyToken({ token }, inStore(storeId))
  return { id: customer?.id ?? '', token }
}

/** Resolves once the service has consumed an event of another one. */
async function consume(
  event: Pick<Parameters<typeof publishEvent>[1], 'service' | 'aggregate' | 'schema' | 'message'>,
  storeId: string,
) {
  const consumed = async () => (await customers.database.query(sql`select from consumed_event`)).length
  const before = await consumed()
  const aggregate = { aggregateId: randomId(), aggregateVersion: 1, storeId, traceparent: undefined }
  await customers.database.transaction((tx) => publishEvent(tx, { verb: 'created', ...aggregate, ...event }))
  await expect.poll(consumed).toBe(before + 1)
}

describe('a claimed customer that was never used', () => {
  it('is removed 30 days after its last sign-in, and its name leads to a new customer', async () => {
    const storeId = customers.stores.add()
    const idle = await signIn(storeId, 'Idle')
    const returning = await signIn(storeId, 'Returning')
    customers.clock.advance(29 * day)
    await signIn(storeId, 'Returning')
    await removeAll(customers)
    expect(await countEvents(customers, storeId)).toBe(2)
    customers.clock.advance(day + 60_000)
    await removeAll(customers)
    expect(await faultOf(customers.client.getCustomer({ customerId: idle.id }, inStore(storeId)))).toMatchObject({
      code: 'not-found',
    })
    expect((await eventsOf(customers, idle.id)).map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.deleted',
    ])
    expect((await signIn(storeId, 'Idle')).id).not.toBe(idle.id)
    expect((await signIn(storeId, 'Returning')).id).toBe(returning.id)
  })

  it('is kept once it bought, received a gift, was banned, was changed or opened the portal, and so is any other customer', async () => {
    const storeId = customers.stores.add()
    const names = ['Buyer', 'Recipient', 'Banned', 'Changed', 'Visitor']
    const ids = await Promise.all(names.map(async (name) => (await signIn(storeId, name)).id))
    const [buyer = '', recipient = '', banned = '', changed = '', visitor = ''] = ids
    const { customer: verified } = await customers.client.createCustomer(
      { customer: { steamId: newSteamId() } },
      inStore(storeId),
    )
    const session = { customerId: buyer, lines: [{ giftToCustomerId: recipient }] }
    await consume(
      {
        service: 'checkout',
        aggregate: 'checkout_session',
        schema: CheckoutSessionCreatedSchema,
        message: { session },
      },
      storeId,
    )
    const identities = [{ banType: BanType.CUSTOMER, banTypeValue: banned }]
    await consume(
      { service: 'bans', aggregate: 'ban', schema: BanCreatedSchema, message: { ban: { identities } } },
      storeId,
    )
    const update = { customerId: changed, customer: { name: 'VIP' }, updateMask: { paths: ['name'] } }
    await customers.client.updateCustomer(update, inStore(storeId))
    await customers.client.createPortalSession({ customerId: visitor, expiresInSeconds: 3600 }, inStore(storeId))
    customers.clock.advance(40 * day)
    await removeAll(customers)
    const { customers: kept } = await customers.client.listCustomers({ page: { limit: 100 } }, inStore(storeId))
    expect(kept.map(({ id }) => id).sort()).toEqual([...ids, verified?.id].sort())
  })
})

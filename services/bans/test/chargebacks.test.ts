import { publishEvent } from '@storekeep/common/events'
import { randomId } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { OrderChargedBackSchema } from '@storekeep/proto/orders/v1/events'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { inStore, useBans } from './harness.ts'

const bans = useBans()

it('a chargeback bans its customer once, and only if the store wants that', async () => {
  const storeId = randomId()
  const [banned, spared] = [randomId(), randomId()]
  const consumed = async () => (await bans.database.query(sql`select 1 from consumed_event`)).length
  for (const [customerId, banCustomer] of [
    [banned, true],
    [spared, false],
  ] as const) {
    const id = randomId()
    const before = await consumed()
    await bans.database.transaction((tx) =>
      publishEvent(tx, {
        service: 'orders',
        aggregate: 'order',
        verb: 'charged_back',
        aggregateId: id,
        aggregateVersion: 2,
        storeId,
        schema: OrderChargedBackSchema,
        message: { order: { id, storeId, number: 1042n, customerId }, banCustomer },
        traceparent: undefined,
      }),
    )
    await expect.poll(consumed).toBe(before + 1)
  }
  const { bans: all } = await bans.client.listBans({}, inStore(storeId))
  expect(all).toMatchObject([
    { reason: 'Chargeback of order 1042', identities: [{ banType: BanType.CUSTOMER, banTypeValue: banned }] },
  ])
})

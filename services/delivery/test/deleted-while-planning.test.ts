import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { describe, expect, it, vi } from 'vitest'
import { createTestServer, type TestServer } from './harness.ts'
import { openShop, type Shop, stage, useShops } from './shop.ts'

const delivery = useShops()

/** Grants a product to a customer, and deletes the server after its commands were planned and before they are queued. */
async function grantDuringDeletion(shop: Shop, { storeId, gameServerId }: TestServer, gameServerIds: string[]) {
  const { productId } = await shop.product([stage('ON_PURCHASE', 'give')], { gameServerIds })
  const customerId = await shop.customer()
  const ofServer = sql`store_id = ${storeId} and id = ${gameServerId}`
  const isAwaited = async (tx: Transaction) => {
    const waiting = await tx.query(sql`
      select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`)
    return waiting.length > 0
  }
  const grants = [{ customerId, productId, quantity: 1 }]
  const granting = await delivery.database.transaction(async (tx) => {
    await tx.query(sql`select from game_server where ${ofServer} for update`)
    const granted = delivery.items.grantDeliveryItems({ grants }, shop.options)
    await vi.waitUntil(() => isAwaited(tx), { timeout: 60_000, interval: 20 })
    await tx.query(sql`delete from game_server where ${ofServer}`)
    return { granted }
  })
  await granting.granted
  const [item] = await shop.itemsOf({ customerId })
  const [row] = await delivery.database.query<{ stages: string[] }>(sql`
    select unplanned_stages as stages from delivery_item where store_id = ${storeId} and id = ${item?.id}`)
  return { servers: item?.commandAttempts.map((attempt) => attempt.gameServerId), waiting: row?.stages }
}

describe('an item whose game server is deleted while its commands are queued', () => {
  it('waits if there is no other server for it, as if it had been deleted before', async () => {
    const shop = await openShop(delivery)
    await createTestServer(delivery, shop.options)
    const found = await grantDuringDeletion(shop, shop.server, [shop.server.gameServerId])
    expect(found).toEqual({ servers: [], waiting: ['on_purchase'] })
  })

  it('is delivered to the other servers of the product', async () => {
    const shop = await openShop(delivery)
    const other = await createTestServer(delivery, shop.options)
    const found = await grantDuringDeletion(shop, shop.server, [shop.server.gameServerId, other.gameServerId])
    expect(found).toEqual({ servers: [other.gameServerId], waiting: [] })
  })
})

import { randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { countWaiting } from '../src/items/db/plan-repository.ts'
import { readBacklog } from '../src/queue/db/backlog-repository.ts'
import { createTestServer, type TestServer } from './harness.ts'
import { pass, queue } from './queue-harness.ts'
import { openShop, stage, useShops } from './shop.ts'

const delivery = useShops()
const tenMinutes = 600_000

/** A server with a command that has been due for ten minutes. */
async function serverWithOldCommand(lastFetched: 'now' | 'an hour ago', enabled = true): Promise<TestServer> {
  const server = await createTestServer(delivery, undefined, { name: 'Survival', enabled })
  await queue(delivery, server, [{}])
  await pass(delivery, server, tenMinutes)
  await delivery.database.query(sql`
    update game_server set last_fetched_at = now() - ${lastFetched === 'now' ? 0 : 60} * interval '1 minute'
    where store_id = ${server.storeId} and id = ${server.gameServerId}`)
  return server
}

const backlog = () => readBacklog(delivery.database, 100)

describe('the backlog', () => {
  beforeAll(async () => {
    await serverWithOldCommand('an hour ago')
    await serverWithOldCommand('now', false)
  })

  it('has no age while only servers that do not poll, or are disabled, have due commands', async () => {
    expect(await backlog()).toEqual({ due: 2, oldestDueAge: 0, stuck: 0, connected: 0, disconnected: 1 })
  })

  it('has the age of the oldest due command of a server that polls', async () => {
    await serverWithOldCommand('now')
    const { oldestDueAge, ...counts } = await backlog()
    expect(counts).toEqual({ due: 3, stuck: 0, connected: 1, disconnected: 1 })
    expect(oldestDueAge).toBeGreaterThanOrEqual(tenMinutes / 1000)
  })
})

describe('items that wait', () => {
  it('for the version of their product, for a game server and for a value are counted separately', async () => {
    const [shop, withoutServer] = [await openShop(delivery), await openShop(delivery, false)]
    await shop.buy({ productId: randomId(), versionId: randomId(), version: 1n }, await shop.customer())
    await shop.buy(await shop.product([stage('ON_PURCHASE', 'ban {customer.steam.id}')]), await shop.customer())
    const product = await withoutServer.product([stage('ON_PURCHASE', 'x')])
    for (let n = 0; n < 2; n += 1) await withoutServer.buy(product, await withoutServer.customer())
    expect(await countWaiting(delivery.database)).toEqual({ forVersion: 1, forServer: 2, forValue: 1 })
  })
})

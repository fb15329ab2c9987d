import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { readBacklog } from '../src/queue/db/backlog-repository.ts'
import { createTestServer, type TestServer, useDelivery } from './harness.ts'
import { pass, queue } from './queue-harness.ts'

const delivery = useDelivery()
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

import { randomBytes } from 'node:crypto'
import { createClient } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createTestTransport, faultOf, recordSpans, useServerProxies } from '@storekeep/common/testing'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { delivery as service } from '../src/service.ts'
import { createTestServer, leaseMs, type TestServer, useDelivery } from './harness.ts'
import { addPlayer, dueNow, idsOf, type Players, pass, poll, pollUntilFound, queue } from './queue-harness.ts'

const servers = useServerProxies()
const delivery = useDelivery(servers.between)

/**
 * Polls until a poll sends no statement: the token is looked up after each change of the queue, and while the last read of the queues
 * is older than a second.
 * @returns the commands of all of these polls
 */
async function pollsUntilQuiet(server: TestServer, players: Players = {}): Promise<unknown[]> {
  const commands: unknown[] = []
  const isQuiet = async () => {
    const counted = await countedPoll(server, players)
    commands.push(...counted.commands)
    return counted.statements === 0
  }
  await vi.waitUntil(isQuiet, { timeout: 60_000, interval: 50 })
  return commands
}

/** Polls, and returns the commands and the number of statements that the poll has sent. */
async function countedPoll(server: TestServer, players: Players = {}) {
  const record = recordSpans()
  try {
    const traceId = randomBytes(16).toString('hex')
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`
    const commands = await poll(delivery, server, players, { traceparent })
    const statements = record.spans().filter((span) => span.traceId === traceId && 'db.system.name' in span.attributes)
    return { commands, statements: statements.length }
  } finally {
    record.stop()
  }
}

describe('a poll that finds nothing sends no statement', () => {
  beforeAll(async () => {
    // The process has read the queues.
    await pollsUntilQuiet(await createTestServer(delivery))
  })

  it('without commands, before a command is due, during its lease, and after its acknowledgement', async () => {
    const server = await createTestServer(delivery)
    await queue(delivery, server, [{ dueAt: new Date(Date.now() + 3_600_000) }])
    expect(await dueNow(delivery, server)).toEqual([])
    const players = { customerNames: ['Robin'] }
    for (const lists of [{}, { anyPlayer: true }, players]) {
      expect(await pollsUntilQuiet(server, lists)).toEqual([])
    }
    await queue(delivery, server, [{}])
    await pollUntilFound(delivery, server)
    expect(await pollsUntilQuiet(server, players)).toEqual([])
  })

  it('a poll that finds a command does (control)', async () => {
    const server = await createTestServer(delivery)
    await queue(delivery, server, [{}])
    const found = await vi.waitUntil(
      async () => {
        const counted = await countedPoll(server)
        return counted.commands.length > 0 ? counted : undefined
      },
      { timeout: 60_000, interval: 50 },
    )
    expect(found?.statements).toBeGreaterThan(3)
  })

  it('while the players are offline for whom commands wait, until one of them joins', async () => {
    const server = await createTestServer(delivery)
    const customerId = await addPlayer(delivery, server.storeId, { minecraftName: 'Notch' })
    const [waiting] = idsOf(await queue(delivery, server, [{ onlineOnly: true, customerId }]))
    expect(await dueNow(delivery, server)).toEqual([])
    const [robin, both] = [{ customerNames: ['Robin', 'Kim'] }, { customerNames: ['Robin', 'Notch'] }]
    expect((await countedPoll(server, robin)).statements).toBeGreaterThan(0)
    expect(await pollsUntilQuiet(server, robin)).toEqual([])
    expect(await pollsUntilQuiet(server, { customerNames: ['Robin'] })).toEqual([])
    expect(idsOf((await countedPoll(server, both)).commands)).toEqual([waiting])
    // The command is available again after its lease, for a player whose lists have not changed.
    expect(await countedPoll(server, both)).toMatchObject({ commands: [] })
    await pass(delivery, server, leaseMs)
    expect(idsOf(await pollUntilFound(delivery, server, both))).toEqual([waiting])
  })
})

describe('a command that another replica has queued or leased', () => {
  it('is found by the polls of every replica, and given out by one', async () => {
    const log = createLogger({ service: 'delivery', level: 'silent' })
    const replica = await service.start(
      { ...delivery.config, database: { ...delivery.config.database, migrate: false } },
      { log },
    )
    const transport = createTestTransport('delivery', replica.address)
    const other = { queue: createClient(CommandQueueService, transport) }
    try {
      const server = await createTestServer(delivery)
      const [first] = idsOf(await queue(delivery, server, [{}]))
      const given = await Promise.all([poll(delivery, server, { waitMs: 2000 }), poll(other, server, { waitMs: 2000 })])
      expect(idsOf(given.flat())).toEqual([first])
      await pass(delivery, server, leaseMs)
      await vi.waitUntil(async () => (await poll(other, server, { waitMs: 1000 })).length > 0, { timeout: 60_000 })
    } finally {
      transport.close()
      await replica.stop()
    }
  })
})

describe('without Postgres', () => {
  it('polls fail as soon as it is not certain that nothing is due, and find their commands afterwards', async () => {
    const server = await createTestServer(delivery)
    await dueNow(delivery, server)
    servers.postgres.cut()
    delivery.clock.advance(5001)
    expect(await faultOf(poll(delivery, server))).toMatchObject({
      code: 'service-unavailable',
      retryAfterSeconds: expect.any(Number),
    })
    const [queued] = idsOf(await queue(delivery, server, [{}]))
    expect(await faultOf(poll(delivery, server))).toMatchObject({ code: 'service-unavailable' })
    servers.postgres.pass()
    const found = async () => idsOf(await poll(delivery, server).catch(() => []))
    await expect.poll(found, { timeout: 60_000 }).toEqual([queued])
  })
})

it('a command is found that was queued after the clock of the database was set back', async () => {
  const server = await createTestServer(delivery)
  const { storeId, gameServerId } = server
  await queue(delivery, server, [{}])
  await pollUntilFound(delivery, server)
  await pollsUntilQuiet(server)
  await delivery.database.query(sql`
    update command_queue set changed_at = changed_at + interval '1 hour', next_due_at = null
    where store_id = ${storeId} and game_server_id = ${gameServerId}`)
  // The process has read this change: it looks up the token again.
  await vi.waitUntil(async () => (await countedPoll(server)).statements > 0, { timeout: 60_000, interval: 50 })
  await pollsUntilQuiet(server)
  await queue(delivery, server, [{}])
  expect(await poll(delivery, server, { waitMs: 20_000 })).toHaveLength(1)
})

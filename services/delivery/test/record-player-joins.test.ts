import { timestampFromDate } from '@storekeep/common/message'
import { eventsOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { pruneAllJoins } from '../src/queue/tasks/maintenance.ts'
import { createTestServer, type TestServer, useDelivery } from './harness.ts'
import { addPlayer } from './queue-harness.ts'

const delivery = useDelivery()
const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

function record(server: TestServer, joins: readonly Record<string, unknown>[]) {
  const { gameServerId, tokenEpoch, asServer } = server
  return delivery.queue.recordPlayerJoins({ gameServerId, tokenEpoch, joins: [...joins] }, asServer)
}

async function joinsOf({ storeId }: TestServer) {
  return await delivery.database.query<{ customerId: string; joinedAt: Date; ipAddress: string | null }>(sql`
    select customer_id as "customerId", joined_at as "joinedAt", ip_address as "ipAddress" from player_join
    where store_id = ${storeId} order by customer_id`)
}

describe('RecordPlayerJoins', () => {
  it('keeps the last join of each customer on the server, and publishes it', async () => {
    const server = await createTestServer(delivery)
    const customerId = await addPlayer(delivery, server.storeId, { minecraftUuid: uuid })
    const join = (minute: number, ipAddress: string) => ({
      joinedAt: timestampFromDate(at(minute)),
      ipAddress,
      minecraftUuid: uuid.replaceAll('-', ''),
    })
    await record(server, [join(2, '192.0.2.2'), join(1, '192.0.2.1')])
    await record(server, [join(1, '192.0.2.9')])
    expect(await joinsOf(server)).toEqual([{ customerId, joinedAt: at(2), ipAddress: '192.0.2.2' }])
    await record(server, [join(3, '2001:db8::1')])
    expect(await joinsOf(server)).toEqual([{ customerId, joinedAt: at(3), ipAddress: '2001:db8::1' }])
    const events = await eventsOf(delivery, customerId)
    expect(events).toMatchObject([
      { type: 'customer.joined', message: { customerId, gameServerId: server.gameServerId } },
      { type: 'customer.joined', message: { customerId, joinedAt: timestampFromDate(at(3)) } },
    ])
  })

  it('identifies a player with a UUID or Steam id by nothing else', async () => {
    const server = await createTestServer(delivery)
    await addPlayer(delivery, server.storeId, { minecraftName: 'Notch' })
    const bySteam = await addPlayer(delivery, server.storeId, { steamId: '76561198000000123' })
    await record(server, [
      { minecraftUuid: uuid, minecraftName: 'Notch' },
      { steamId: '76561198000000123', minecraftName: 'Notch' },
    ])
    expect((await joinsOf(server)).map(({ customerId }) => customerId)).toEqual([bySteam])
  })

  it('ignores unknown players, nonsense, and customers of other stores, and corrects times in the future', async () => {
    const server = await createTestServer(delivery)
    const customerId = await addPlayer(delivery, server.storeId, { minecraftName: 'Robin' })
    await addPlayer(delivery, randomId(), { minecraftName: 'Kim' })
    await record(server, [
      { minecraftName: 'Kim' },
      { minecraftUuid: 'x', ipAddress: '\0' },
      {},
      { minecraftName: 'ROBIN', ipAddress: 'a\0b', joinedAt: timestampFromDate(new Date('2999-01-01')) },
    ])
    const [join, ...others] = await joinsOf(server)
    expect(others).toEqual([])
    expect(join).toMatchObject({ customerId, ipAddress: null })
    expect(Number(join?.joinedAt)).toBeLessThanOrEqual(Date.now())
  })
})

it('joins are deleted after 90 days', async () => {
  const server = await createTestServer(delivery)
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
  for (const [name, joinedAt] of [
    ['Old', days(91)],
    ['New', days(89)],
  ] as const) {
    await addPlayer(delivery, server.storeId, { minecraftName: name })
    await record(server, [{ minecraftName: name, joinedAt: timestampFromDate(joinedAt) }])
  }
  expect(await joinsOf(server)).toHaveLength(2)
  await pruneAllJoins({ database: delivery.database, clock: delivery.clock })
  expect((await joinsOf(server)).map(({ joinedAt }) => joinedAt > days(90))).toEqual([true])
})

import { createClient } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createTestTransport, type Env, faultOf, useServerProxies } from '@storekeep/common/testing'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { delivery as service } from '../src/service.ts'
import { createTestServer, type TestServer, useDelivery } from './harness.ts'
import { acknowledge, poll, queue } from './queue-harness.ts'

const servers = useServerProxies()
let direct: Env = {}
const delivery = useDelivery((env) => {
  direct = env
  return servers.between(env)
})

/** A replica that stays connected to Postgres while the other one is cut off. */
let replica: Awaited<ReturnType<typeof service.start>>
let transport: ReturnType<typeof createTestTransport>
const other = () => ({
  client: createClient(GameServersService, transport),
  queue: createClient(CommandQueueService, transport),
})
beforeAll(async () => {
  const config = readConfig(direct)
  const log = createLogger({ service: 'delivery', level: 'silent' })
  replica = await service.start({ ...config, database: { ...config.database, migrate: false } }, { log })
  transport = createTestTransport('delivery', replica.address)
})
afterAll(async () => {
  transport.close()
  await replica.stop()
})

const unauthorized = { code: 'unauthorized' }
const disable = { gameServer: { name: '', enabled: false }, updateMask: { paths: ['enabled'] } }

const changes: [string, (server: TestServer) => Promise<unknown>][] = [
  ['its reset', ({ gameServerId, options }) => other().client.resetGameServerToken({ gameServerId }, options)],
  [
    'the disabling of its server',
    ({ gameServerId, options }) => other().client.updateGameServer({ gameServerId, ...disable }, options),
  ],
  [
    'the deletion of its server',
    ({ gameServerId, options }) => other().client.deleteGameServer({ gameServerId }, options),
  ],
]

describe.each(changes)('a token after %s', (_what, change) => {
  it('is rejected by every call of every replica, also if the replica remembers it as valid', async () => {
    const server = await createTestServer(delivery)
    for (const one of [delivery, other()]) expect(await poll(one, server)).toEqual([])
    await change(server)
    const { gameServerId, tokenEpoch, asServer } = server
    for (const { client, queue } of [delivery, other()]) {
      const calls = [
        poll({ queue }, server),
        acknowledge({ queue }, server, ['1']),
        queue.recordPlayerJoins({ gameServerId, tokenEpoch, joins: [] }, asServer),
        client.linkGameServer({ gameServerId, tokenEpoch }, asServer),
      ]
      expect(await Promise.all(calls.map(faultOf))).toMatchObject(calls.map(() => unauthorized))
    }
  })

  it('fetches no commands for a poll that waits', async () => {
    const server = await createTestServer(delivery)
    const waiting = faultOf(poll(delivery, server, { waitMs: 30_000 }))
    await change(server)
    expect(await waiting).toMatchObject(unauthorized)
  })

  it('is not accepted by a replica that cannot read the change', async () => {
    const server = await createTestServer(delivery)
    expect(await poll(delivery, server)).toEqual([])
    servers.postgres.cut()
    await change(server)
    expect(await faultOf(poll(delivery, server))).toMatchObject({ code: 'service-unavailable' })
    servers.postgres.pass()
  })
})

describe('a new token', () => {
  it('is accepted with its epoch as soon as it was returned, and so is the token of a server that was enabled again', async () => {
    const server = await createTestServer(delivery)
    const { gameServerId, options } = server
    await other().client.resetGameServerToken({ gameServerId }, options)
    expect(await poll(delivery, { ...server, tokenEpoch: 2n })).toEqual([])
    await other().client.updateGameServer({ gameServerId, ...disable }, options)
    const enable = { ...disable, gameServer: { name: '', enabled: true } }
    await other().client.updateGameServer({ gameServerId, ...enable }, options)
    expect(await poll(delivery, { ...server, tokenEpoch: 4n })).toEqual([])
  })

  it('is not affected by other changes of its server, and of its queue', async () => {
    const server = await createTestServer(delivery)
    const { gameServerId, options } = server
    const rename = { gameServer: { name: 'Creative', enabled: false }, updateMask: { paths: ['name'] } }
    await other().client.updateGameServer({ gameServerId, ...rename }, options)
    await queue(delivery, server, [{}])
    expect(await poll(delivery, server, { waitMs: 10_000 })).toHaveLength(1)
  })
})

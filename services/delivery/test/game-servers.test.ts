import { isFlakeId } from '@storekeep/common/flake'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestServer, inStore, useDelivery } from './harness.ts'

const delivery = useDelivery()
const mask = (...paths: string[]) => ({ updateMask: { paths } })
const input = { name: 'Survival', enabled: true }

describe('CreateGameServer', () => {
  it('returns the server and, only once, its token, of which only a hash is stored', async () => {
    const { server, token, options } = await createTestServer(delivery)
    expect(server).toMatchObject({
      storeId: options.storeId,
      name: 'Survival',
      enabled: true,
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
    })
    expect(server.tokenResetAt ?? server.linkedTo ?? server.updatedAt ?? server.updatedBy).toBeUndefined()
    expect(isFlakeId(server.id)).toBe(true)
    const read = await delivery.client.getGameServer({ gameServerId: server.id }, options)
    expect(read.gameServer).toEqual(server)
    const events = await eventsOf(delivery, server.id)
    expect(events).toMatchObject([{ type: 'game_server.created', message: { gameServer: { id: server.id } } }])
    const [stored] = await delivery.database.query<{ row: string }>(sql`
      select game_server::text as row from game_server where store_id = ${options.storeId}`)
    for (const text of [stored?.row, ...delivery.logLines, JSON.stringify(events, withoutBigints)]) {
      expect(text).not.toContain(token)
    }
  })

  it('returns the same token to a call that is repeated with its idempotency key', async () => {
    const options = withKey(inStore())
    const [one, again] = [
      await delivery.client.createGameServer({ gameServer: input }, options),
      await delivery.client.createGameServer({ gameServer: input }, options),
    ]
    expect(again).toEqual(one)
  })

  it.each(['', 'x'.repeat(129), 'a\0b'])('rejects the name %j', async (name) => {
    const create = delivery.client.createGameServer({ gameServer: { name, enabled: true } }, inStore())
    expect(await violationsOf(create)).toHaveLength(1)
  })

  it('rejects the 101st server of a store', async () => {
    const { options, server } = await aStoreWith(100)
    const create = delivery.client.createGameServer({ gameServer: input }, options)
    expect(await faultOf(create)).toMatchObject({ code: 'conflict' })
    expect((await delivery.client.listGameServers({}, options)).gameServers).toHaveLength(100)
    await delivery.client.deleteGameServer({ gameServerId: server.id }, options)
    await createTestServer(delivery, options)
  })

  it('never exceeds 100 servers, also when they are created concurrently', async () => {
    const { options } = await aStoreWith(95)
    const created = await Promise.allSettled(
      Array.from({ length: 20 }, () => delivery.client.createGameServer({ gameServer: input }, options)),
    )
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect((await delivery.client.listGameServers({}, options)).gameServers).toHaveLength(100)
  })

  async function aStoreWith(count: number) {
    const first = await createTestServer(delivery)
    const { options, server } = first
    await delivery.database.query(sql`
      insert into game_server (store_id, name, enabled, token_hash, created_by, created_at)
      select ${options.storeId}::bigint, 'x', true, decode(md5(${server.id} || n), 'hex'), 'internal', now()
      from generate_series(2, ${count}::int) n`)
    return first
  }
})

describe('ListGameServers', () => {
  it('returns the servers of the store only, oldest first', async () => {
    const options = inStore()
    const [one, two] = [await createTestServer(delivery, options), await createTestServer(delivery, options)]
    await createTestServer(delivery)
    const { gameServers } = await delivery.client.listGameServers({}, options)
    expect(gameServers).toEqual([one.server, two.server])
  })
})

describe('UpdateGameServer', () => {
  it('changes only the fields in the mask, and publishes the change', async () => {
    const { options, server } = await createTestServer(delivery)
    const change = { gameServerId: server.id, gameServer: { name: 'Creative', enabled: false }, ...mask('name') }
    const { gameServer } = await delivery.client.updateGameServer(change, options)
    expect(gameServer).toMatchObject({ name: 'Creative', enabled: true, version: 2n, updatedBy: server.createdBy })
    const events = await eventsOf(delivery, server.id)
    expect(events.map(({ type }) => type)).toEqual(['game_server.created', 'game_server.updated'])
  })

  it('publishes nothing if nothing changes', async () => {
    const { options, server } = await createTestServer(delivery)
    const change = { gameServerId: server.id, gameServer: input, ...mask('name', 'enabled') }
    expect((await delivery.client.updateGameServer(change, options)).gameServer).toEqual(server)
    expect(await eventsOf(delivery, server.id)).toHaveLength(1)
  })

  it('rejects an invalid name and an unknown field', async () => {
    const { options, server } = await createTestServer(delivery)
    const update = (gameServer: typeof input, path: string) =>
      delivery.client.updateGameServer({ gameServerId: server.id, gameServer, ...mask(path) }, options)
    expect(await violationsOf(update({ ...input, name: '' }, 'name'))).toEqual(['name length'])
    expect(await faultOf(update(input, 'token'))).toMatchObject({ code: 'bad-request' })
  })
})

describe('a server of another store', () => {
  it('is not found by any call', async () => {
    const { server } = await createTestServer(delivery)
    const options = inStore()
    const { client } = delivery
    const gameServerId = server.id
    const link = { gameServerId, tokenEpoch: 1n, ip: '', hostname: '', platform: '', version: '' }
    const calls = [
      client.getGameServer({ gameServerId }, options),
      client.updateGameServer({ gameServerId, gameServer: input, ...mask('name') }, options),
      client.deleteGameServer({ gameServerId }, options),
      client.resetGameServerToken({ gameServerId }, options),
    ]
    for (const fault of await Promise.all(calls.map(faultOf))) expect(fault).toMatchObject({ code: 'not-found' })
    expect(await faultOf(client.linkGameServer(link, options))).toMatchObject({ code: 'unauthorized' })
  })
})

describe('DeleteGameServer', () => {
  it('publishes the last state of the server and who deleted it', async () => {
    const { server, options } = await createTestServer(delivery)
    await delivery.client.deleteGameServer({ gameServerId: server.id }, options)
    expect((await eventsOf(delivery, server.id)).at(-1)).toMatchObject({
      type: 'game_server.deleted',
      version: '2',
      message: { gameServer: { name: 'Survival' }, deletedBy: { type: ActorType.API_KEY } },
    })
  })
})

describe('VerifyGameServerToken', () => {
  const verify = (token: string) => delivery.client.verifyGameServerToken({ token }, inStore(randomId()))

  it('identifies the server of a token, also while it is disabled', async () => {
    const { server, token, storeId, options } = await createTestServer(delivery)
    expect(await verify(token)).toMatchObject({ gameServerId: server.id, storeId, enabled: true, epoch: 1n })
    const change = { gameServerId: server.id, gameServer: { ...input, enabled: false }, ...mask('enabled') }
    await delivery.client.updateGameServer(change, options)
    expect(await verify(token)).toMatchObject({ enabled: false, epoch: 2n })
  })

  it('rejects malformed, unknown, replaced and deleted tokens with the same error', async () => {
    const { server, token, options } = await createTestServer(delivery)
    const other = await createTestServer(delivery)
    const replacement = await delivery.client.resetGameServerToken({ gameServerId: server.id }, options)
    expect(replacement.gameServer?.tokenResetAt).toBeDefined()
    expect(await verify(replacement.token)).toMatchObject({ gameServerId: server.id, epoch: 2n })
    await delivery.client.deleteGameServer({ gameServerId: other.server.id }, other.options)
    const faults = await Promise.all(['', 'skgs_x', token, other.token].map((one) => faultOf(verify(one))))
    for (const fault of faults) expect(fault).toMatchObject({ code: 'unauthorized' })
  })
})

describe('LinkGameServer', () => {
  const report = { ip: '192.0.2.7:25565', hostname: 'mc-1', platform: 'minecraft', version: '1.2.3' }

  it('stores what the plugin reports, and publishes it only when it changes', async () => {
    const { server, tokenEpoch, asServer, options } = await createTestServer(delivery)
    const link = (change: Partial<typeof report> = {}) =>
      delivery.client.linkGameServer({ gameServerId: server.id, tokenEpoch, ...report, ...change }, asServer)
    await delivery.database.query(sql`
      insert into store_copy (store_id, game, bedrock_prefix, version) values (${options.storeId}, 'minecraft', '.', 1)`)
    const first = await link()
    expect(first).toMatchObject({ gameServer: { linkedTo: report }, storePlatform: 'minecraft' })
    expect(first.previouslyLinked).toBeUndefined()
    expect((await link()).previouslyLinked).toBeUndefined()
    expect((await link({ version: '1.2.4' })).previouslyLinked).toBeUndefined()
    expect((await link({ hostname: 'mc-2' })).previouslyLinked).toMatchObject({ ip: report.ip, hostname: 'mc-1' })
    const events = await eventsOf(delivery, server.id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['game_server.created', '1'],
      ['game_server.linked', '2'],
      ['game_server.linked', '3'],
      ['game_server.linked', '4'],
    ])
  })

  it('accepts any text: it cuts long ones and drops control characters', async () => {
    const { server, tokenEpoch, asServer } = await createTestServer(delivery)
    const texts = { ip: '', hostname: 'a\0\nb', platform: '🦊'.repeat(300), version: '' }
    const report = { gameServerId: server.id, tokenEpoch, ...texts }
    const { gameServer } = await delivery.client.linkGameServer(report, asServer)
    expect(gameServer?.linkedTo).toMatchObject({ ip: '', hostname: 'ab', platform: '🦊'.repeat(255), version: '' })
  })
})

function withoutBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

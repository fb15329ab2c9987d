import { faultOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it, vi } from 'vitest'
import { unqueueAttempts } from '../src/attempts/steps/queue-commands.ts'
import { leaseAttempts, selectCandidates } from '../src/queue/db/poll-repository.ts'
import { createTestServer, leaseMs, useDelivery } from './harness.ts'
import {
  acknowledge,
  addPlayer,
  attemptsOf,
  dueNow,
  idsOf,
  pass,
  poll,
  pollUntilFound,
  queue,
} from './queue-harness.ts'

const delivery = useDelivery()

describe.concurrent('PollCommands', () => {
  it('gives out what is due, oldest first, with the identities of the player', async () => {
    const server = await createTestServer(delivery)
    const steamId = '76561198000000001'
    const minecraftUuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
    const given = { command: 'give', steamId, minecraftUuid, customerName: 'Robin', requiredSlots: 3 }
    const [first] = await queue(delivery, server, [given])
    const [second] = await queue(delivery, server, [{ dueAt: new Date(Date.now() - 1000) }])
    await queue(delivery, server, [{ dueAt: new Date(Date.now() + 3_600_000) }])
    await queue(delivery, server, [{ missingPlaceholders: ['customer.name'] }])
    const commands = await pollUntilFound(delivery, server)
    expect(idsOf(commands)).toEqual([second?.id, first?.id])
    expect(commands[1]).toMatchObject({ command: 'give', onlineOnly: false, steamId, minecraftUuid })
    expect(commands[1]).toMatchObject({ customerName: 'Robin', requiredSlots: 3 })
    expect(commands[0]?.steamId ?? commands[0]?.minecraftUuid ?? commands[0]?.customerName).toBeUndefined()
  })

  it('gives out at most 100 commands, and the others next', async () => {
    const server = await createTestServer(delivery)
    const commands = Array.from({ length: 130 }, () => ({ itemId: randomId() }))
    const queued = idsOf(await queue(delivery, server, commands))
    const first = await pollUntilFound(delivery, server)
    const second = await poll(delivery, server)
    expect(idsOf([...first, ...second])).toEqual(queued)
    expect(first).toHaveLength(100)
  })

  it('gives out nothing of another server and another store', async () => {
    const server = await createTestServer(delivery)
    const [other, foreign] = [await createTestServer(delivery, server.options), await createTestServer(delivery)]
    await queue(delivery, server, [{}])
    await pollUntilFound(delivery, server)
    await pass(delivery, server, leaseMs)
    expect(await dueNow(delivery, other)).toEqual([])
    const inOtherStore = poll(delivery, { ...foreign, gameServerId: server.gameServerId })
    expect(await faultOf(inOtherStore)).toMatchObject({ code: 'unauthorized' })
    expect(await pollUntilFound(delivery, server)).toHaveLength(1)
  })

  it('of 64 parallel polls, gives each command to one until its lease ends', async () => {
    const server = await createTestServer(delivery)
    const queued = await queue(
      delivery,
      server,
      Array.from({ length: 300 }, () => ({ itemId: randomId() })),
    )
    const given = await Promise.all(Array.from({ length: 64 }, () => poll(delivery, server, { waitMs: 2000 })))
    expect(idsOf(given.flat()).toSorted()).toEqual(idsOf(queued).toSorted())
    await pass(delivery, server, leaseMs)
    expect(await pollUntilFound(delivery, server)).toHaveLength(100)
  })

  it('without the lock of the queue, parallel polls give the same commands out (control)', async () => {
    const server = await createTestServer(delivery)
    await queue(
      delivery,
      server,
      Array.from({ length: 50 }, () => ({ itemId: randomId() })),
    )
    const selected = Promise.withResolvers<void>()
    let waiting = 2
    const unlocked = () =>
      delivery.database.transaction(async (tx) => {
        const candidates = await selectCandidates(tx, server, { online: [], limit: 100 })
        waiting -= 1
        if (waiting === 0) selected.resolve()
        await selected.promise
        const ids = candidates.map(({ id }) => id)
        return await leaseAttempts(tx, server, ids, { leaseMs, isCertain: true })
      })
    const given = (await Promise.all([unlocked(), unlocked()])).flat()
    expect(given).toHaveLength(100)
  })
})

describe.concurrent('the commands of an item', () => {
  it('go out in one response, and a later one only after their acknowledgement', async () => {
    const server = await createTestServer(delivery)
    const soon = new Date(Date.now() + 600_000)
    const [one, two, later] = idsOf(await queue(delivery, server, [{}, {}, { dueAt: soon }]))
    const first = idsOf(await pollUntilFound(delivery, server))
    expect(first).toEqual([one, two])
    // The third is due, and the lease of the others has not ended.
    await delivery.database.query(sql`
      update command_attempt set due_at = now(), available_at = now() where store_id = ${server.storeId} and id = ${later}`)
    expect(await dueNow(delivery, server)).toEqual([])
    await acknowledge(delivery, server, [String(one)])
    expect(await dueNow(delivery, server)).toEqual([])
    await acknowledge(delivery, server, [String(two)])
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([later])
  })

  it('go out again in order when the lease of the first ones has ended', async () => {
    const server = await createTestServer(delivery)
    const soon = new Date(Date.now() + leaseMs / 2)
    const all = idsOf(await queue(delivery, server, [{}, {}, { dueAt: soon }]))
    expect(await pollUntilFound(delivery, server)).toHaveLength(2)
    await pass(delivery, server, leaseMs / 2)
    expect(await dueNow(delivery, server)).toEqual([])
    await pass(delivery, server, leaseMs / 2)
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual(all)
  })

  it('never go out before an earlier one whose lease has ended, also if a response has no room for both', async () => {
    const server = await createTestServer(delivery)
    const others = (count: number) =>
      queue(
        delivery,
        server,
        Array.from({ length: count }, () => ({ itemId: randomId() })),
      )
    await others(99)
    const both = idsOf(await queue(delivery, server, [{}, {}]))
    // The first response has room for the first command only, and is lost.
    const lost = idsOf(await pollUntilFound(delivery, server))
    expect(lost.at(-1)).toBe(both[0])
    await acknowledge(delivery, server, lost.slice(0, -1))
    // The second command has never been given out, so it has been available for longer than the others, and they for longer than the first.
    await others(150)
    await pass(delivery, server, leaseMs)
    const given: string[] = []
    while (!given.includes(String(both[1]))) given.push(...idsOf(await pollUntilFound(delivery, server)))
    expect(given.filter((id) => both.includes(id))).toEqual(both)
  })

  it('that wait do not take the places of other items', async () => {
    const server = await createTestServer(delivery)
    const [first] = idsOf(await queue(delivery, server, [{}]))
    const itemId = (
      await delivery.database.query<{ itemId: string }>(sql`
      select item_id as "itemId" from command_attempt where store_id = ${server.storeId} and id = ${first}`)
    )[0]?.itemId
    await pollUntilFound(delivery, server)
    await queue(
      delivery,
      server,
      Array.from({ length: 250 }, () => ({ itemId: String(itemId) })),
    )
    expect(await dueNow(delivery, server)).toEqual([])
    await acknowledge(delivery, server, [String(first)])
    expect(await pollUntilFound(delivery, server)).toHaveLength(100)
  })

  it('wait for a command that was unqueued after it was given out, such as a refund, only until its lease ends', async () => {
    const { server, purchase, refund } = await refundedWhileLeased()
    expect(await dueNow(delivery, server)).toEqual([])
    await pass(delivery, server, leaseMs - 2000)
    // Without a change of the queue, a poll that waits finds the command when the lease ends.
    const found = idsOf(await pollUntilFound(delivery, server))
    expect(found).toEqual([refund])
    expect(await leaseOf(purchase)).toEqual({ hasEnded: true })
  })

  it('do not wait for a command that was unqueued before it was given out', async () => {
    const server = await createTestServer(delivery)
    const [first, second] = idsOf(await queue(delivery, server, [{}, {}]))
    await unqueue(server, first)
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([second])
  })

  async function refundedWhileLeased() {
    const server = await createTestServer(delivery)
    const itemId = randomId()
    const [purchase] = idsOf(await queue(delivery, server, [{ itemId }]))
    await pollUntilFound(delivery, server)
    await unqueue(server, purchase)
    const [refund] = idsOf(await queue(delivery, server, [{ itemId, stage: 'on_refund' }]))
    return { server, purchase, refund }
  }

  async function unqueue({ storeId }: { storeId: string }, id: string | undefined): Promise<void> {
    const selection = { storeId, attemptIds: [String(id)] }
    expect(await delivery.database.transaction((tx) => unqueueAttempts(tx, selection, new Date()))).toHaveLength(1)
  }

  async function leaseOf(id: string | undefined) {
    const [lease] = await delivery.database.query<{ hasEnded: boolean }>(sql`
      select leased_until <= now() as "hasEnded" from command_attempt where id = ${id}`)
    return lease
  }
})

describe.concurrent('a command that waits for its player', () => {
  const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
  const steamId = '76561198000000777'

  it.each([
    ['the Steam id', { steamId }, { steamIds: [steamId] }],
    ['the UUID', { minecraftUuid: uuid }, { minecraftUuids: [uuid] }],
    [
      'the UUID in upper case and without hyphens',
      { minecraftUuid: uuid },
      { minecraftUuids: [uuid.replaceAll('-', '').toUpperCase()] },
    ],
    ['the name, without case', { minecraftName: 'Notch' }, { customerNames: ['nOTCH'] }],
    [
      'the UUID of offline mode',
      { minecraftName: 'Notch' },
      { minecraftUuids: ['b50ad385-829d-3141-a216-7e7d7539ba7f'] },
    ],
  ] as const)('is given out when a list contains %s', async (_what, identities, lists) => {
    const server = await createTestServer(delivery)
    const customerId = await addPlayer(delivery, server.storeId, identities)
    const someone = await addPlayer(delivery, server.storeId, { minecraftName: 'Somebody' })
    const [queued] = idsOf(await queue(delivery, server, [{ onlineOnly: true, customerId }]))
    await queue(delivery, server, [{ onlineOnly: true, customerId: someone }])
    const [forAll] = idsOf(await queue(delivery, server, [{}]))
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([forAll])
    expect(
      await poll(delivery, server, { customerNames: ['Robin', '', 'x'.repeat(10_000), 'a\0'], steamIds: ['-1', 'x'] }),
    ).toEqual([])
    const copied = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list, 'nonsense']]))
    expect(idsOf(await pollUntilFound(delivery, server, copied))).toEqual([queued])
  })

  it('is given out to a plugin that checks the players itself, and then never becomes stuck', async () => {
    const server = await createTestServer(delivery)
    const customerId = await addPlayer(delivery, server.storeId, {})
    const [queued] = idsOf(await queue(delivery, server, [{ onlineOnly: true, customerId }]))
    for (let n = 0; n < 21; n += 1) {
      expect(idsOf(await pollUntilFound(delivery, server, { anyPlayer: true }))).toEqual([queued])
      await pass(delivery, server, leaseMs)
    }
    expect(await attemptsOf(delivery, server)).toMatchObject([{ state: 'pending', givenOutCount: 0, isStuck: false }])
  })
})

describe.concurrent('a poll that waits', () => {
  it('ends as soon as a command is queued', async () => {
    const server = await createTestServer(delivery)
    const waiting = poll(delivery, server, { waitMs: 30_000 })
    const [queued] = idsOf(await queue(delivery, server, [{}]))
    expect(idsOf(await waiting)).toEqual([queued])
  })

  it('ends when a command becomes due that was queued before', async () => {
    const server = await createTestServer(delivery)
    const [queued] = idsOf(await queue(delivery, server, [{ dueAt: new Date(Date.now() + 1500) }]))
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([queued])
  })

  it('ends without commands when its time is over, and when its caller leaves', async () => {
    const server = await createTestServer(delivery)
    expect(await poll(delivery, server, { waitMs: 100 })).toEqual([])
    const controller = new AbortController()
    const left = poll(delivery, server, { waitMs: 30_000 }, { signal: controller.signal }).catch(() => 'left')
    controller.abort()
    expect(await left).toBe('left')
  })
})

it('a server shows when and from where its commands were last fetched', async () => {
  const server = await createTestServer(delivery)
  await poll(delivery, server)
  const read = () => delivery.client.getGameServer({ gameServerId: server.gameServerId }, server.options)
  await vi.waitUntil(
    async () => {
      const { gameServerId, tokenEpoch, asServer } = server
      await delivery.client.linkGameServer({ gameServerId, tokenEpoch }, asServer)
      return (await read()).gameServer?.linkedTo?.lastFetchedCommandsAt !== undefined
    },
    { timeout: 60_000, interval: 100 },
  )
  expect((await read()).gameServer?.linkedTo?.lastFetchedCommandsFromIp).toBe('192.0.2.1')
})

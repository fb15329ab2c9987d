import { eventsOf } from '@storekeep/common/testing'
import { describe, expect, it, vi } from 'vitest'
import { unqueueAttempts } from '../src/attempts/steps/queue-commands.ts'
import { createTestServer, leaseMs, type TestServer, useDelivery } from './harness.ts'
import { acknowledge, attemptsOf, dueNow, idsOf, pass, pollUntilFound, queue } from './queue-harness.ts'

const delivery = useDelivery(async (env) => ({ ...env, SWEEP_INTERVAL_MS: '50' }))

async function becomesStuck(server: TestServer): Promise<void> {
  await vi.waitUntil(async () => (await attemptsOf(delivery, server))[0]?.isStuck, { timeout: 60_000, interval: 50 })
}

/** A server whose first command is stuck, with a later one of the same item. */
async function aStuckCommand() {
  const server = await createTestServer(delivery)
  const later = new Date(Date.now() + 60_000)
  const [first = '', second = ''] = idsOf(await queue(delivery, server, [{}, { dueAt: later }]))
  expect(idsOf(await pollUntilFound(delivery, server))).toEqual([first])
  await pass(delivery, server, 24 * 3_600_000)
  await becomesStuck(server)
  return { server, first, second }
}

describe.concurrent('a command without an acknowledgement', () => {
  it('is given out 20 times at most, then it is stuck', async () => {
    const server = await createTestServer(delivery)
    const [queued] = idsOf(await queue(delivery, server, [{}]))
    for (let n = 1; n <= 20; n += 1) {
      expect(idsOf(await pollUntilFound(delivery, server))).toEqual([queued])
      expect(await attemptsOf(delivery, server)).toMatchObject([{ givenOutCount: n, isStuck: false }])
      await pass(delivery, server, leaseMs)
    }
    await becomesStuck(server)
    expect(await dueNow(delivery, server)).toEqual([])
    expect(await eventsOf(delivery, queued)).toMatchObject([
      { type: 'delivery_command.stuck', message: { attempt: { id: queued, givenOutCount: 20 } } },
    ])
  })

  it('is stuck 24 hours after it was first given out, and its followers wait', async () => {
    const { server, first } = await aStuckCommand()
    expect(await dueNow(delivery, server)).toEqual([])
    await pass(delivery, server, 48 * 3_600_000)
    expect(await dueNow(delivery, server)).toEqual([])
    expect(await eventsOf(delivery, first)).toHaveLength(1)
  })

  it('counts as executed when it is acknowledged late, and its followers go on', async () => {
    const { server, first, second } = await aStuckCommand()
    expect(await dueNow(delivery, server)).toEqual([])
    expect(await acknowledge(delivery, server, [first])).toBe(1)
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([second])
  })

  it('lets its followers go on when it is unqueued', async () => {
    const { server, first, second } = await aStuckCommand()
    expect(await dueNow(delivery, server)).toEqual([])
    await delivery.database.transaction((tx) =>
      unqueueAttempts(tx, { storeId: server.storeId, attemptIds: [first] }, new Date()),
    )
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual([second])
  })
})

import { eventsOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { unqueueAttempts } from '../src/attempts/steps/queue-commands.ts'
import { createTestServer, leaseMs, useDelivery } from './harness.ts'
import { acknowledge, attemptsOf, dueNow, idsOf, pass, pollUntilFound, queue } from './queue-harness.ts'

const delivery = useDelivery()

async function givenOut(count = 1) {
  const server = await createTestServer(delivery)
  await queue(
    delivery,
    server,
    Array.from({ length: count }, () => ({ itemId: randomId() })),
  )
  return { server, ids: idsOf(await pollUntilFound(delivery, server)) }
}

async function unqueue({ server: { storeId }, ids: attemptIds }: Awaited<ReturnType<typeof givenOut>>): Promise<void> {
  await delivery.database.transaction((tx) => unqueueAttempts(tx, { storeId, attemptIds }, new Date()))
}

describe('AcknowledgeCommands', () => {
  it('marks commands as executed, with the time and the address, and publishes it', async () => {
    const { server, ids } = await givenOut(2)
    expect(await acknowledge(delivery, server, ids)).toBe(2)
    const rows = await delivery.database.query<{ ip: string }>(sql`
      select executed_by_ip as ip from command_attempt
      where store_id = ${server.storeId} and state = 'executed' and executed_at is not null`)
    expect(rows).toEqual([{ ip: '192.0.2.1' }, { ip: '192.0.2.1' }])
    expect(await eventsOf(delivery, ids[0])).toMatchObject([
      { type: 'delivery_command.executed', message: { attempt: { id: ids[0], executedByIp: '192.0.2.1' } } },
    ])
  })

  it('never gives out a command again that was acknowledged, also after its lease', async () => {
    const { server, ids } = await givenOut()
    await acknowledge(delivery, server, ids)
    await pass(delivery, server, leaseMs)
    expect(await dueNow(delivery, server)).toEqual([])
  })

  it('succeeds for repeated, unknown, foreign, malformed and unqueued ids, and changes nothing', async () => {
    const { server, ids } = await givenOut()
    const { server: other, ids: foreign } = await givenOut()
    const neverGivenOut = await createTestServer(delivery)
    const unqueued = { server: neverGivenOut, ids: idsOf(await queue(delivery, neverGivenOut, [{}])) }
    await acknowledge(delivery, server, ids)
    await unqueue(unqueued)
    const given = [...ids, ...foreign, randomId(), '', 'x', '9'.repeat(40), '🦊', '-1', '0']
    expect(await acknowledge(delivery, server, given)).toBe(0)
    expect(await acknowledge(delivery, unqueued.server, unqueued.ids)).toBe(0)
    expect(await acknowledge(delivery, server, [])).toBe(0)
    expect(await attemptsOf(delivery, other)).toMatchObject([{ state: 'pending' }])
    expect(await attemptsOf(delivery, unqueued.server)).toMatchObject([{ state: 'unqueued' }])
    expect(await eventsOf(delivery, ids[0])).toHaveLength(1)
    const metrics = await (await fetch(`http://127.0.0.1:${delivery.running.metricsPort}/metrics`)).text()
    for (const outcome of ['repeated', 'unknown', 'malformed', 'unqueued']) {
      expect(metrics).toMatch(new RegExp(`delivery_acknowledgements_total{.*outcome="${outcome}".*} [1-9]`))
    }
  })

  it('marks a command that was unqueued after it was given out as executed, and lets its followers go on', async () => {
    const server = await createTestServer(delivery)
    const itemId = randomId()
    const ids = idsOf(await queue(delivery, server, [{ itemId }]))
    await pollUntilFound(delivery, server)
    await unqueue({ server, ids })
    const refund = idsOf(await queue(delivery, server, [{ itemId, stage: 'on_refund' }]))
    expect(await dueNow(delivery, server)).toEqual([])
    expect(await acknowledge(delivery, server, ids)).toBe(1)
    expect(await acknowledge(delivery, server, ids)).toBe(0)
    expect(idsOf(await pollUntilFound(delivery, server))).toEqual(refund)
  })

  it('executes a command once, of concurrent acknowledgements, and accepts more ids than a poll gives out', async () => {
    const { server, ids } = await givenOut(100)
    const many = [...ids, ...Array.from({ length: 1500 }, () => randomId())]
    const counts = await Promise.all(Array.from({ length: 8 }, () => acknowledge(delivery, server, many)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100)
    expect(await eventsOf(delivery, ids[0])).toHaveLength(1)
  })
})

import { onServer, report, type System, scaled, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import { expect, it } from 'vitest'
import { startChangeWorkload } from './change-workload.ts'
import { observerSchema, openObservers } from './event-observer.ts'
import { countByName, openStores } from './keyed-writes.ts'
import { judgeDelivery } from './outbox-verdict.ts'
import { type KeyedWrite, newCustomerWrite, writeUntilSuccessful } from './retrying-writer.ts'

// The primary is killed under load while the standby lags, and the standby is promoted. Clients retry with idempotency keys.

const gateway = { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }
const services = { LOG_LEVEL: 'warn' }
const common = {
  only: ['stores', 'customers'],
  own: ['postgres'],
  gateways: [gateway, gateway],
  schemas: [observerSchema],
  settings: { stores: services, customers: services },
} as const

it('a promotion of a synchronous standby loses no acknowledged write and repeats no write or event', async () => {
  const system = await startSystem({ ...common, replication: 'synchronous' })
  try {
    const observers = await openObservers(system)
    const stop = observers.observe('promotion')
    const watched = await system.createStore()
    const clients = [0, 1, 0, 1].map((index) => system.openGateway(index, { checked: false }))
    const workload = startChangeWorkload(watched, clients, seededRandom())
    const outcome = await writeThroughPromotion(system, 'synchronous')
    await workload.more(20)
    await workload.stop()
    const delivery = await judgeDelivery(system, watched.id, workload, observers, 'promotion')
    await stop()
    await observers.close()
    const reused = await reusedIds(system)
    report('promotion', {
      'writes acknowledged': outcome.acknowledged,
      'acknowledged before the crash': outcome.before,
      'ms from the crash to the promotion': outcome.promotedMs,
      'ms from the crash to the next success': outcome.backMs,
      lost: outcome.lost.length,
      repeated: outcome.repeated.length,
      'events published': delivery.published.length,
      'events missing': delivery.missing.length,
      'events repeated': delivery.repeated.length,
      'ids used twice': reused.length,
    })
    expect(outcome).toMatchObject({ lost: [], repeated: [] })
    expect(delivery).toMatchObject({ missing: [], repeated: [] })
    expect(delivery.applied).toEqual(delivery.published)
    expect(reused).toEqual([])
    expect(outcome.before).toBeGreaterThan(0)
  } finally {
    await system.stop()
  }
})

it('negative control: the check finds the acknowledged writes that an asynchronous standby loses', async () => {
  const system = await startSystem({ ...common, replication: 'asynchronous' })
  try {
    const { acknowledged, lost, repeated } = await writeThroughPromotion(system, 'asynchronous')
    report('promotion of an asynchronous standby', { 'writes acknowledged': acknowledged, lost: lost.length })
    expect(lost.length).toBeGreaterThanOrEqual(lostAtLeast)
    expect(repeated).toEqual([])
  } finally {
    await system.stop()
  }
})

/** Number of writes that the asynchronous primary acknowledges without its standby. */
const lostAtLeast = 20

async function writeThroughPromotion(system: System, replication: 'synchronous' | 'asynchronous'): Promise<Outcome> {
  const { stores } = await openStores(system)
  const { standby } = system.infra
  if (!standby) throw new Error('The system has no standby.')
  const acknowledged = new Map<string, KeyedWrite>()
  const needed = scaled(100)
  let isOver = false

  async function write(): Promise<void> {
    while (!isOver) {
      const one = newCustomerWrite()
      await writeUntilSuccessful(stores, one, { keyed: true })
      acknowledged.set(one.key, one)
    }
  }
  const more = (what: string, count: number) => {
    const goal = acknowledged.size + count
    return waitFor(what, () => acknowledged.size >= goal, { timeoutMs: 300_000 })
  }

  const writing = Promise.all(Array.from({ length: 12 }, write))
  try {
    await more('writes before the crash', needed)
    standby.isolate()
    if (replication === 'asynchronous') await more('writes that only the primary has', lostAtLeast)
    else await waitFor('commits that wait for the standby', () => hasWaitingCommits(system), { timeoutMs: 300_000 })
    const before = acknowledged.size
    const killedAt = performance.now()
    await system.infra.server('postgres').kill('SIGKILL')
    const atKill = acknowledged.size
    await standby.promote()
    const promotedMs = Math.round(performance.now() - killedAt)
    await waitFor('a write after the promotion', () => acknowledged.size > atKill, { timeoutMs: 300_000, everyMs: 5 })
    const backMs = Math.round(performance.now() - killedAt)
    await more('writes after the promotion', needed)
    isOver = true
    await writing
    const names = [...acknowledged.values()].map(({ input }) => input?.name ?? '')
    const counts = await countByName(system, names)
    return {
      acknowledged: acknowledged.size,
      before,
      promotedMs,
      backMs,
      lost: names.filter((name) => !counts.has(name)),
      repeated: names.filter((name) => (counts.get(name) ?? 0) > 1),
    }
  } finally {
    isOver = true
  }
}

interface Outcome {
  acknowledged: number
  /** How many were acknowledged when the primary was killed. */
  before: number
  promotedMs: number
  backMs: number
  /** Names of acknowledged writes that are gone. */
  lost: string[]
  /** Names of writes that took effect more than once. */
  repeated: string[]
}

async function hasWaitingCommits(system: System): Promise<boolean> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rowCount } = await client.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)
    return (rowCount ?? 0) > 0
  })
}

/** Ids that two customers got. */
async function reusedIds(system: System): Promise<string[]> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(`
      select aggregate_id as id from customers.outbox where aggregate = 'customer' and verb = 'created'
      group by aggregate_id having count(*) > 1`)
    return rows.map(({ id }) => id)
  })
}

import { deleteStream, onServer, report, type System, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChangeWorkload } from './change-workload.ts'
import { observerSchema, openObservers } from './event-observer.ts'
import { startUnsafePublisher } from './unsafe-publisher.ts'

let system: System
beforeAll(async () => {
  system = await startSystem({
    only: ['stores', 'customers'],
    own: ['nats'],
    schemas: [observerSchema],
    settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
  })
})
afterAll(() => system.stop())

/** The production guarantee: goals 5 and 10, invariant I3. The twins lose and repeat under the very same faults. */
it('every acknowledged change reaches a consumer and is applied once, though relay, NATS and stream are lost', async () => {
  const random = seededRandom()
  const nats = system.infra.server('nats')
  const observers = await openObservers(system)
  const stopObserving = observers.observe('exact')
  let stopForgetful = observers.observe('forgetful-1', 'forgetful')
  const unsafe = await startUnsafePublisher(system.infra.natsUrl, system.stream.toLowerCase())
  const store = await system.createStore()
  const clients = Array.from({ length: 4 }, () => system.openGateway(0, { checked: false }))
  const workload = startChangeWorkload(store, clients, random)
  workload.onAcknowledged(({ mark }) => unsafe.publish(mark))

  const faults = {
    'relay killed': async () => {
      await system.customers.kill('SIGKILL')
      await system.customers.restart()
    },
    'NATS killed': async () => {
      await nats.kill('SIGKILL')
      await workload.more(20 + random.below(60))
      await nats.restart()
    },
    'stream deleted': async () => {
      // The twin that remembers nothing across it.
      await stopForgetful()
      await waitFor('the stream to be deleted', () => deleteStream(nats.url, system.stream))
      stopForgetful = observers.observe(`forgetful-${random.below(2 ** 31)}`, 'forgetful')
    },
  }
  const plan = Object.values(faults).flatMap((fault) => [fault, fault])
  while (plan.length > 0) {
    const [fault] = plan.splice(random.below(plan.length), 1)
    await workload.more(40 + random.below(120))
    await fault?.()
  }
  await workload.more(50)
  await workload.stop()

  const made = await waitFor('every event to be published', publishedChanges, { timeoutMs: 30_000 })
  const applied = await waitFor(
    'every event to be applied',
    async () => {
      const applications = await observers.applications('exact')
      return applications.length >= made.length && applications
    },
    { timeoutMs: 30_000 },
  )
  const repeated = (await observers.applications('forgetful')).filter(({ times }) => times > 1)
  const lost = await unsafe.lost(system.stream)
  await Promise.all([stopObserving(), stopForgetful()])
  await unsafe.close()
  await observers.close()

  const arrived = new Set(applied.map(({ mark }) => mark))
  const missing = [...workload.acknowledged.keys()].filter((mark) => !arrived.has(mark))
  const twice = applied.filter(({ times }) => times !== 1)
  report('events', {
    seed: random.seed,
    'acknowledged changes': workload.acknowledged.size,
    'failed calls': workload.failedCount(),
    applied: applied.length,
    lost: missing.length,
    'applied twice': twice.length,
    'twin without outbox lost': lost,
    'twin without memory applied twice': repeated.length,
  })
  expect(missing).toEqual([])
  expect(twice).toEqual([])
  expect(applied.map(keyOf).sort()).toEqual(made.map(keyOf).sort())
  expect(lost).toBeGreaterThan(0)
  expect(repeated.length).toBeGreaterThan(0)
})

/** What the owner holds to be its changes, once all of it is published. */
async function publishedChanges(): Promise<Change[] | undefined> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rows } = await client.query<Change & { published: boolean }>(`
      select aggregate_id::text, aggregate_version::text as version, published_at is not null as published
      from customers.outbox where aggregate = 'customer'`)
    return rows.every(({ published }) => published) ? rows : undefined
  })
}

function keyOf({ aggregate_id, version }: Change): string {
  return `${aggregate_id} ${version}`
}

interface Change {
  aggregate_id: string
  version: string
}

import { deleteStream, report, type System, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChangeWorkload } from './change-workload.ts'
import { observerSchema, openObservers } from './event-observer.ts'
import { judgeDelivery } from './outbox-verdict.ts'
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

/** Goals 5 and 10, invariant I3. Two negative controls run under the same faults: one loses events, one repeats them. */
it('applies every acknowledged change exactly once although relay, NATS and the stream are lost', async () => {
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
      // Negative control: a consumer that has no record of what it applied before.
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

  const verdict = await judgeDelivery(system, store.id, workload, observers, 'exact')
  const repeated = (await observers.applications('forgetful')).filter(({ times }) => times > 1)
  const lost = await unsafe.lost(system.stream)
  await Promise.all([stopObserving(), stopForgetful()])
  await unsafe.close()
  await observers.close()

  report('events', {
    seed: random.seed,
    'acknowledged changes': workload.acknowledged.size,
    'failed calls': workload.failedCount(),
    applied: verdict.applied.length,
    lost: verdict.missing.length,
    'applied twice': verdict.repeated.length,
    'lost without the outbox': lost,
    'applied twice without deduplication': repeated.length,
  })
  expect(verdict.missing).toEqual([])
  expect(verdict.repeated).toEqual([])
  expect(verdict.applied).toEqual(verdict.published)
  expect(lost).toBeGreaterThan(0)
  expect(repeated.length).toBeGreaterThan(0)
})

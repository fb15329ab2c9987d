import {
  type CustomerBody,
  deleteStream,
  fresh,
  onServer,
  report,
  type System,
  scaled,
  seededRandom,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowOnePending, deadLettersOf, injectMalformed, malformed, rejectCustomers, replayAll } from './poison.ts'
import { type Recorder, type Seen, startRecorder } from './recorder/recorder.ts'

let system: System
let store: TestStore
let recorder: Recorder
/** Negative control: does not record what it has applied. */
let forgetful: Recorder
beforeAll(async () => {
  system = await startSystem({
    only: ['stores', 'customers'],
    gateways: [{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }],
    own: ['nats'],
    schemas: ['recorder', 'forgetful'],
  })
  store = (await system.createStore()).through(system.openGateway(0, { checked: false }))
  recorder = await startRecorder(system, { name: 'recorder', forgets: false, maxAttempts: 8 })
})
afterAll(async () => {
  await Promise.all([recorder, forgetful].map((one) => one?.kill()))
  await system?.stop()
})

/** Goals 5 and 10, invariants I3, I5 and I10. */
it('applies every acknowledged change exactly once after a failure of any process or server', async () => {
  const { infra, customers, stream } = system
  const random = seededRandom()
  const faults: Record<string, () => Promise<void>> = {
    'the process of the relay killed': async () => {
      await customers.kill('SIGKILL')
      await customers.restart()
    },
    'NATS killed': async () => {
      await infra.server('nats').kill('SIGKILL')
      await write(scaled(10))
      await infra.server('nats').restart()
    },
    'NATS paused': async () => {
      await infra.server('nats').kill('SIGSTOP')
      await write(scaled(10))
      await infra.server('nats').kill('SIGCONT')
    },
    'the stream deleted': async () => void (await deleteStream(infra.natsUrl, stream)),
    'the consumer killed': async () => {
      await recorder.kill()
      await write(scaled(10))
      await recorder.start()
    },
  }

  const acknowledged: Change[] = []
  async function write(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, async () => acknowledged.push(...(await changeCustomer(store)))))
  }

  // Each fault twice in random order, during writes.
  const order = shuffled([...Object.keys(faults), ...Object.keys(faults)], random.below)
  for (const name of order) {
    const writing = write(scaled(20))
    await faults[name]?.()
    await writing
  }

  await waitFor('all events to be applied', async () => (await missing(recorder, acknowledged)).length === 0, {
    timeoutMs: 60_000,
  })
  await waitFor('the outbox to be empty', async () => (await outboxOf(system)).waiting === 0)
  const seen = await recorder.seen()
  report('event delivery', {
    seed: random.seed,
    faults: order.length,
    acknowledged: acknowledged.length,
    applied: seen.length,
    twice: countTwice(seen),
  })
  expect(countTwice(seen)).toBe(0)
  // Changes that were committed but not acknowledged are applied as well, and nothing else.
  expect(seen.length).toBe((await outboxOf(system)).all)
})

/** Negative control: the stream is deleted, and the consumer does not record what it has applied. */
it('applies events twice without deduplication when the stream is lost', async () => {
  // Two attempts: as a negative control below, each takes it 5 s, and the first event that fails is sufficient.
  forgetful = await startRecorder(system, { name: 'forgetful', forgets: true, maxAttempts: 2 })
  const changes = (await Promise.all(Array.from({ length: 20 }, () => changeCustomer(store)))).flat()
  await waitFor('all events to be applied', async () => (await missing(forgetful, changes)).length === 0)
  await deleteStream(system.infra.natsUrl, system.stream)
  const isRepeated = async () => countTwice(await forgetful.seen()) > 0
  await waitFor('events to be applied twice', isRepeated, { timeoutMs: 60_000 })
  report('event delivery, protection off', { twice: countTwice(await forgetful.seen()) })
})

/**
 * Goal 20, invariant I8. "Not delayed" is a matter of order, not of time: the other events are applied while the faulty ones
 * are still being retried, which takes about 13 s.
 */
it('is not delayed by faulty events, which become dead letters with their cause and are restored by a replay', async () => {
  // Negative control: a consumer with one event at a time, which waits for the retries of a faulty event.
  const sequential = forgetful
  await Promise.all([recorder.kill(), sequential.kill()])
  await allowOnePending(system, sequential.name)
  const faulty = (await Promise.all(Array.from({ length: scaled(20) }, () => changeCustomer(store)))).flat()
  await waitFor('the faulty events to be published', async () => (await outboxOf(system)).waiting === 0)
  await injectMalformed(system)
  const healthy = (await Promise.all(Array.from({ length: scaled(200) }, () => changeCustomer(store)))).flat()
  for (const one of [recorder, sequential]) {
    await rejectCustomers(one, faulty)
    await one.start()
  }

  const rejected = async (one: Recorder) => (await deadLettersOf(one)).filter(({ error }) => error.includes('poison'))
  await waitFor('all faulty events to become dead letters', async () => {
    return (await deadLettersOf(recorder)).length === faulty.length + malformed.length
  })
  await waitFor('a dead letter of the negative control', async () => (await rejected(sequential)).length > 0)
  const [inTime, inTimeOfControl] = await Promise.all(
    [recorder, sequential].map(async (one) => {
      const gaveUpAt = Math.min(...(await rejected(one)).map(({ failed_at }) => failed_at.getTime()))
      const inTime = (await one.seen()).filter(({ at }) => at.getTime() < gaveUpAt)
      return healthy.length - missingIn(inTime, healthy).length
    }),
  )
  expect((await deadLettersOf(recorder)).filter(({ error }) => error === '')).toEqual([])
  expect(await rejected(recorder)).toHaveLength(faulty.length)
  expect(inTime).toBe(healthy.length)
  expect(inTimeOfControl).toBeLessThan(healthy.length)

  await onServer(recorder.databaseUrl, (client) => client.query('alter table seen drop constraint poison'))
  const replayed = await replayAll(recorder)
  expect(replayed).toEqual({ applied: faulty.length, failed: malformed.length })
  expect(await missing(recorder, [...faulty, ...healthy])).toEqual([])
  expect(await deadLettersOf(recorder)).toHaveLength(malformed.length)
  report('faulty events', {
    healthy: healthy.length,
    faulty: faulty.length,
    malformed: malformed.length,
    'healthy events before the first dead letter': inTime ?? 0,
    'of the negative control': inTimeOfControl ?? 0,
    replayed: replayed.applied,
    twice: countTwice(await recorder.seen()),
  })
  expect(countTwice(await recorder.seen())).toBe(0)
})

interface Change {
  customerId: string
  /** Its first change is 1. */
  version: string
}

/** Creates a customer and changes it, with retries until each is acknowledged. */
async function changeCustomer(store: TestStore): Promise<Change[]> {
  const steamId = fresh.steamId()
  const customer = await untilAcknowledged((key) =>
    store.post<CustomerBody>('/customers', { steam_id: steamId }, { headers: { 'idempotency-key': key } }),
  )
  await untilAcknowledged((key) =>
    store.patch<CustomerBody>(
      `/customers/${customer.id}`,
      { name: fresh.name() },
      { headers: { 'idempotency-key': key } },
    ),
  )
  return ['1', '2'].map((version) => ({ customerId: customer.id, version }))
}

/** Retries a call with one idempotency key until it succeeds. */
async function untilAcknowledged<Body>(
  call: (idempotencyKey: string) => Promise<{ status: number; text: string; body: Body }>,
): Promise<Body> {
  const key = fresh.idempotencyKey()
  return waitFor('the change to be acknowledged', async () => {
    const { status, body, text } = await call(key)
    if (status === 200) return body
    if (status !== 503 && status !== 409) throw new Error(`returned ${status}: ${text}`)
    return undefined
  })
}

async function missing(recorder: Recorder, acknowledged: readonly Change[]): Promise<Change[]> {
  return missingIn(await recorder.seen(), acknowledged)
}

function missingIn(applied: readonly Seen[], acknowledged: readonly Change[]): Change[] {
  const seen = new Set(applied.map(({ customer_id, version }) => `${customer_id} ${version}`))
  return acknowledged.filter(({ customerId, version }) => !seen.has(`${customerId} ${version}`))
}

function countTwice(seen: readonly Seen[]): number {
  return seen.length - new Set(seen.map(({ event_id }) => event_id)).size
}

/** Counts the customer events in the outbox of the customers service, and those not published yet. */
function outboxOf(system: System): Promise<{ all: number; waiting: number }> {
  return onServer(system.databaseUrlOf('customers'), async (client) => {
    const { rows } = await client.query<{ all: number; waiting: number }>(`
      select count(*)::int as all, count(*) filter (where published_at is null)::int as waiting
      from outbox where aggregate = 'customer'`)
    return rows[0] ?? { all: 0, waiting: 0 }
  })
}

function shuffled<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const left = [...items]
  return items.map(() => left.splice(below(left.length), 1)[0] as T)
}

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
import { afterEach, expect, it } from 'vitest'
import { type Recorder, type Seen, startRecorder } from './recorder/recorder.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Goals 5 and 10, invariants I3, I5 and I10. */
it('applies every acknowledged change exactly once whichever process or server fails', async () => {
  const { system, store, recorder } = await start({ forgets: false })
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
  const { system, store, recorder } = await start({ forgets: true })
  const changes = (await Promise.all(Array.from({ length: 20 }, () => changeCustomer(store)))).flat()
  await waitFor('all events to be applied', async () => (await missing(recorder, changes)).length === 0)
  await deleteStream(system.infra.natsUrl, system.stream)
  await waitFor('events to be applied twice', async () => countTwice(await recorder.seen()) > 0, { timeoutMs: 60_000 })
  report('event delivery, protection off', { twice: countTwice(await recorder.seen()) })
})

async function start(options: { forgets: boolean }): Promise<{ system: System; store: TestStore; recorder: Recorder }> {
  const system = await startSystem({
    only: ['stores', 'customers'],
    gateways: [{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }],
    own: ['nats'],
    schemas: ['recorder'],
  })
  stops.push(() => system.stop())
  const store = (await system.createStore()).through(system.openGateway(0, { checked: false }))
  const recorder = await startRecorder(system, options)
  stops.push(() => recorder.kill())
  return { system, store, recorder }
}

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
  const seen = new Set((await recorder.seen()).map(({ customer_id, version }) => `${customer_id} ${version}`))
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

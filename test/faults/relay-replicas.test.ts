import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database, runMigrations } from '@storekeep/common/postgres'
import { environmentOfNode, requireEnv } from '@storekeep/common/testing'
import { createTestDatabase, type TestDatabase } from '@storekeep/common/testing/database'
import { deleteStream, report, scaled, seededRandom, waitFor } from '@storekeep/test/kit'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RelayProcessSettings } from '../load/relay-process.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const natsUrl = requireEnv('TEST_NATS_URL')
let test: TestDatabase
let database: Database
let settings: RelayProcessSettings
const relays: ChildProcess[] = []

beforeAll(async () => {
  test = await createTestDatabase(['relay'])
  const url = test.urlOf('relay')
  const directory = fileURLToPath(new URL('recorder/migrations', import.meta.url))
  await runMigrations({ url, schema: 'relay', directory, cell: 0, nodeNumber: 15, log })
  database = createDatabase({ url, applicationName: 'test', timeLimitFactor: 10, log })
  settings = { databaseUrl: url, natsUrl, stream: test.name.toUpperCase() }
  for (let n = 0; n < 3; n += 1) relays.push(startRelay())
})
afterAll(async () => {
  for (const relay of relays) relay.kill('SIGKILL')
  await deleteStream(natsUrl, settings.stream)
  await database.close()
  await test.drop()
})

/** Negative controls are in services/common/test/relay-replicas.test.ts, where each protection can be removed. */
it('keeps the order of each aggregate and loses nothing while three relays of one outbox are killed and suspended', async () => {
  const random = seededRandom()
  const writers = Array.from({ length: 32 }, (_, n) => startWriter(`thing-${n}`))
  const faults = Array.from({ length: scaled(6) }, (_, n) => (n % 2 === 0 ? killOne : suspendOne))
  let written = 0
  try {
    for (const fault of faults) await fault(random.below(relays.length))
  } finally {
    for (const count of await Promise.all(writers.map((stop) => stop()))) written += count
  }
  await waitFor('every event to be published', async () => (await waiting()) === 0, { timeoutMs: 120_000 })

  const messages = await readStream()
  const last = new Map<string, number>()
  let outOfOrder = 0
  for (const { id, version } of messages) {
    if (version <= (last.get(id) ?? 0)) outOfOrder += 1
    last.set(id, version)
  }
  const distinct = new Set(messages.map(({ id, version }) => `${id} ${version}`)).size
  const verdict = { lost: written - distinct, repeated: messages.length - distinct, 'out of order': outOfOrder }
  report('relay replicas', { seed: random.seed, faults: faults.length, written, ...verdict })
  expect(verdict).toEqual({ lost: 0, repeated: 0, 'out of order': 0 })
})

function startRelay(): ChildProcess {
  const file = fileURLToPath(new URL('../load/relay-process.ts', import.meta.url))
  const execArgv = ['--disable-warning=ExperimentalWarning']
  return fork(file, [JSON.stringify(settings)], { execArgv, env: environmentOfNode(), stdio: 'ignore' })
}

async function killOne(index: number): Promise<void> {
  const relay = relays[index]
  if (!relay) return
  await waitUntilBusy()
  relay.kill('SIGKILL')
  await once(relay, 'exit')
  relays[index] = startRelay()
}

/** Suspends a relay until the others have published what it had claimed. */
async function suspendOne(index: number): Promise<void> {
  await waitUntilBusy()
  relays[index]?.kill('SIGSTOP')
  const [before] = await database.query<{ position: string }>(sql`select max(position) as position from outbox`)
  await waitFor('the others to publish all events so far', async () => {
    const rows = await database.query(sql`
      select from outbox where published_at is null and position <= ${before?.position} limit 1`)
    return rows.length === 0
  })
  relays[index]?.kill('SIGCONT')
}

/** A fault should hit a relay that is publishing. */
function waitUntilBusy(): Promise<unknown> {
  return waitFor('events to be published', async () => (await waiting()) > 0)
}

async function waiting(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from outbox where published_at is null`,
  )
  return row?.count ?? 0
}

/** Writes events of one aggregate, no faster than they are published. @returns stops it and returns their number */
function startWriter(id: string): () => Promise<number> {
  let count = 0
  let stopping = false
  const running = (async () => {
    while (!stopping) {
      const rows = await database.query(sql`
        insert into outbox (event_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload)
        select gen_random_uuid(), 'things', 'thing', ${id}, ${count}::int + n, 'changed', 'test.Thing', ''
        from generate_series(1, 5) as n
        where (select count(*) from outbox where published_at is null and aggregate_id = ${id}) < 50
        returning 1`)
      count += rows.length
      if (rows.length === 0) await pause(20)
    }
  })()
  return async () => {
    stopping = true
    await running
    return count
  }
}

async function readStream(): Promise<{ id: string; version: number }[]> {
  const connection = await connect({ servers: natsUrl })
  try {
    const consumer = await jetstream(connection).consumers.get(settings.stream)
    const { num_pending: count } = await consumer.info()
    const found: { id: string; version: number }[] = []
    for await (const { headers } of await consumer.consume()) {
      found.push({ id: headers?.get('ce-subject') ?? '', version: Number(headers?.get('ce-aggregateversion')) })
      if (found.length >= count) break
    }
    return found
  } finally {
    await connection.close()
  }
}

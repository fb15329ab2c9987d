import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ConsumerOptions, SharedConsumerParts } from '../src/events/index.ts'
import { ensureStream } from '../src/nats/index.ts'
import type { Database } from '../src/postgres/index.ts'
import {
  createSeenTable,
  type Parts,
  type StartedConsumer,
  startConsumer,
  startRelay,
  withManager,
} from './events-harness.ts'
import { createTestDatabase, type TestDatabase } from './harness.ts'

/** A database with a relay. Its consumers stop after each test. */
export function useConsumers() {
  let test: TestDatabase
  let parts: Parts
  const consumers: StartedConsumer[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
    await createSeenTable(test.database)
    parts = startRelay(test)
  })
  /** Every consumer reads the stream from its start, so each test gets an empty stream. */
  beforeEach(async () => {
    await test.database.query(sql`delete from outbox`)
    await withManager(parts.nats, async (manager) => {
      await manager.streams.delete(test.stream).catch(() => false)
      await ensureStream(manager, test.stream, { knownBefore: false })
    })
    await test.database.query(sql`truncate seen, consumed_event, consumed_version, dead_letter`)
  })
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((one) => one.stop()))
  })
  afterAll(async () => {
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await parts.stop()
    await test.drop()
  })

  function consume(options: Partial<ConsumerOptions<SharedConsumerParts>> = {}): StartedConsumer {
    const started = startConsumer(test, parts.nats, options)
    consumers.push(started)
    return started
  }

  async function deadLetters(): Promise<{ message_id: string; deliveries: number; error: string }[]> {
    return test.database.query(sql`select message_id, deliveries, error from dead_letter where replayed_at is null`)
  }

  /** Publishes a message without the outbox, as a faulty or malicious publisher would. */
  async function inject(
    attributes: Record<string, string>,
    payload: Uint8Array,
    subject = 'things.thing.changed',
  ): Promise<void> {
    const connection = parts.nats.connection()
    if (!connection) throw new Error('NATS is unavailable')
    const given = headers()
    for (const [name, value] of Object.entries(attributes)) given.set(name, value)
    await jetstream(connection).publish(`${test.stream.toLowerCase()}.${subject}`, payload, { headers: given })
  }

  return {
    get test() {
      return test
    },
    get database(): Database {
      return test.database
    },
    get parts() {
      return parts
    },
    consume,
    deadLetters,
    inject,
  }
}

/** The headers of an event of a thing, but its id. */
export function attributesOf(aggregateId: string, version: number): Record<string, string> {
  return {
    'ce-type': 'storekeep.things.v1.Thing',
    'ce-subject': aggregateId,
    'ce-aggregate': 'thing',
    'ce-aggregateversion': String(version),
    'ce-time': new Date().toISOString(),
  }
}

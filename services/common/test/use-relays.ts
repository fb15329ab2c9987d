import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../src/postgres/index.ts'
import { type Parts, startRelay, withManager } from './events-harness.ts'
import { createTestDatabase, type TestDatabase } from './harness.ts'

interface StreamMessage {
  id: string
  aggregateId: string
  version: number
  subject: string
}

/** A database whose relays stop after each test. */
export function useRelays() {
  let test: TestDatabase
  let parts: Parts[] = []

  beforeAll(async () => {
    test = await createTestDatabase()
  })
  beforeEach(async () => {
    await test.database.query(sql`delete from outbox`)
  })
  afterEach(stopAll)
  afterAll(async () => {
    const extra = startRelay(test)
    await withManager(extra.nats, (manager) => manager.streams.delete(test.stream))
    await extra.stop()
    await test.drop()
  })

  function start(): Parts {
    const started = startRelay(test)
    parts.push(started)
    return started
  }

  async function stopAll(): Promise<void> {
    await Promise.all(parts.map((one) => one.stop()))
    parts = []
  }

  /** Everything in the stream since `after`, in order. */
  async function readStream(from: Parts, after = 0): Promise<StreamMessage[]> {
    return withManager(from.nats, async (manager) => {
      const { state } = await manager.streams.info(test.stream)
      const found: StreamMessage[] = []
      for (let start = after + 1; start <= state.last_seq; start += 100) {
        const end = Math.min(start + 100, state.last_seq + 1)
        const sequences = Array.from({ length: end - start }, (_, n) => start + n)
        const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(test.stream, { seq })))
        for (const message of messages) {
          if (!message) continue
          found.push({
            id: message.header.get('ce-id'),
            aggregateId: message.header.get('ce-subject'),
            version: Number(message.header.get('ce-aggregateversion')),
            subject: message.subject,
          })
        }
      }
      return found
    })
  }

  async function countChecks(): Promise<number> {
    const [row] = await test.database.query<{ epoch: string }>(sql`select epoch from outbox_stream`)
    return Number(row?.epoch ?? 0)
  }

  async function lastSequence(from: Parts): Promise<number> {
    return withManager(from.nats, async (manager) => {
      const streams = await manager.streams.names().next()
      return streams.includes(test.stream) ? (await manager.streams.info(test.stream)).state.last_seq : 0
    })
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
    start,
    stopAll,
    readStream,
    countChecks,
    lastSequence,
  }
}

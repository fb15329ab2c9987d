import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { peekEvents } from '../src/events/index.ts'
import { type Parts, publishThing, startRelay, waitUntilPublished, withManager } from './events-harness.ts'
import { ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, type TestDatabase } from './harness.ts'

describe('peekEvents', () => {
  let test: TestDatabase
  let parts: Parts

  beforeAll(async () => {
    test = await createTestDatabase()
    parts = startRelay(test)
  })
  afterAll(async () => {
    await withManager(parts.nats, (manager) => manager.streams.delete(test.stream).catch(() => false))
    await parts.stop()
    await test.drop()
  })

  it('returns at most 1 MiB of events at a time, each event once and in order', async () => {
    const sizes = [...Array<number>(20).fill(10), ...Array<number>(6).fill(400_000), 1_000_000, 10]
    for (const [index, size] of sizes.entries()) {
      const thing = { id: String(index), version: 1, name: 'x'.repeat(size) }
      await test.database.transaction((tx) => publishThing(tx, thing))
    }
    await waitUntilPublished(test.database)
    const read: string[][] = []
    for (let position = 0; read.flat().length < sizes.length; ) {
      const next = await peekEvents({ nats: parts.nats, stream: test.stream, schemas: [ThingSchema] }, position)
      read.push(next.events.map(({ aggregateId }) => aggregateId))
      expect(next.position).toBeGreaterThan(position)
      position = next.position
    }
    expect(read.flat()).toEqual(sizes.map((_, index) => String(index)))
    const bytes = read.map((ids) => ids.reduce((sum, id) => sum + (sizes[Number(id)] ?? 0), 0))
    expect(Math.max(...bytes)).toBeLessThanOrEqual(1024 * 1024)
    expect(read).toHaveLength(4)
  })
})

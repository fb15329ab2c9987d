import { headers } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import type { Delivery } from './delivery.ts'
import { createPartitions } from './partitions.ts'

function messageOf(aggregate: string): Delivery {
  const given = headers()
  given.set('ce-subject', aggregate)
  return { headers: given } as unknown as Delivery
}

function start(count: number) {
  const handled: Delivery[][] = []
  const partitions = createPartitions({
    count,
    maxBatch: 32,
    maxInFlight: 64,
    handle: async (messages) => {
      handled.push([...messages])
      await new Promise(setImmediate)
    },
  })
  return { handled, partitions }
}

describe('partitions', () => {
  it('keep the messages of an aggregate in order and lose none', async () => {
    const { handled, partitions } = start(4)
    const messages = Array.from({ length: 100 }, (_, index) => messageOf(`customer/${index % 10}`))
    for (const message of messages) partitions.add(message)
    await partitions.finish()
    const flat = handled.flat()
    expect(new Set(flat)).toEqual(new Set(messages))
    for (const aggregate of Array.from({ length: 10 }, (_, index) => `customer/${index}`)) {
      const isOf = (message: Delivery) => message.headers?.get('ce-subject') === aggregate
      expect(flat.filter(isOf)).toEqual(messages.filter(isOf))
    }
  })

  it('handle queued messages in batches of up to 32, and have no room while 64 are in flight', async () => {
    const { handled, partitions } = start(1)
    for (let count = 0; count < 70; count += 1) partitions.add(messageOf('customer/1'))
    expect(partitions.inFlight()).toHaveLength(70)
    expect(await partitions.room()).toBe(26)
    await partitions.finish()
    expect(handled.map(({ length }) => length)).toEqual([32, 32, 6])
    expect(await partitions.room()).toBe(64)
  })
})

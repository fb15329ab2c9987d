import type { JsMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { createPartitions } from './partitions.ts'

function messageOf(aggregate: string): JsMsg {
  const given = headers()
  given.set('ce-subject', aggregate)
  return { headers: given } as JsMsg
}

function start(count: number, gatherMs = 0) {
  const handled: JsMsg[][] = []
  const partitions = createPartitions({
    count,
    maxBatch: 32,
    gatherMs,
    handle: async (messages) => {
      handled.push([...messages])
      await new Promise(setImmediate)
    },
    onRoom: () => {},
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
      const isOf = (message: JsMsg) => message.headers?.get('ce-subject') === aggregate
      expect(flat.filter(isOf)).toEqual(messages.filter(isOf))
    }
  })

  it('handle queued messages in batches of up to 32, and count them as in flight until then', async () => {
    const { handled, partitions } = start(1)
    for (let count = 0; count < 70; count += 1) partitions.add(messageOf('customer/1'))
    expect(partitions.inFlight.size).toBe(70)
    await partitions.finish()
    expect(handled.map(({ length }) => length)).toEqual([32, 32, 6])
    expect(partitions.inFlight.size).toBe(0)
  })

  it.each([
    ['gather messages after a recent batch, but handle a full one at once', 500, [1, 32, 10]],
    ['without a time to gather handle each message as it arrives', 0, [1, 32, ...Array<number>(10).fill(1)]],
  ])('%s', async (_what, gatherMs, sizes) => {
    const { handled, partitions } = start(1, gatherMs)
    for (const size of [1, 32, ...Array<number>(10).fill(1)]) {
      for (let added = 0; added < size; added += 1) partitions.add(messageOf('customer/1'))
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    }
    await partitions.finish()
    expect(handled.map(({ length }) => length)).toEqual(sizes)
  })
})

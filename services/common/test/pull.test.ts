import { randomUUID } from 'node:crypto'
import { AckPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '../src/events/delivery.ts'
import { pull } from '../src/events/pull.ts'
import { requireEnv } from '../testing/require-env.ts'

describe('a pull', () => {
  const stream = `PULL-${randomUUID()}`
  let connection: NatsConnection
  let manager: JetStreamManager

  beforeAll(async () => {
    connection = await connect({ servers: requireEnv('TEST_NATS_URL') })
    manager = await jetstreamManager(connection, { checkAPI: false })
    await manager.streams.add({ name: stream, subjects: [`${stream}.>`] })
  })
  beforeEach(async () => {
    await manager.streams.purge(stream)
    await manager.consumers.add(stream, { durable_name: 'test', ack_policy: AckPolicy.Explicit })
  })
  afterEach(async () => {
    await manager.consumers.delete(stream, 'test').catch(() => false)
  })
  afterAll(async () => {
    await manager.streams.delete(stream)
    await connection.close()
  })

  const options = { nats: { name: 'test' }, stream, name: 'test' }
  const { signal: unlimited } = new AbortController()
  const start = (count: number, signal = unlimited) => pull(connection, options, count, signal)

  async function publish(...texts: string[]): Promise<void> {
    for (const text of texts) connection.publish(`${stream}.one`, text)
    await connection.flush()
  }

  async function textsOf(messages: Promise<readonly Delivery[]>): Promise<string[]> {
    return (await messages).map(({ data }) => Buffer.from(data).toString())
  }

  it('returns the messages that are there, in order, up to the count', async () => {
    await publish('a', 'b', 'c')
    expect(await textsOf(start(2))).toEqual(['a', 'b'])
    expect(await textsOf(start(2))).toEqual(['c'])
  })

  it('waits for the next message if there is none, and does not wait for more', async () => {
    const waiting = start(10)
    await connection.flush()
    await publish('a')
    expect(await textsOf(waiting)).toEqual(['a'])
  })

  it('reads what an acknowledgement needs: a message that was rejected is delivered again, others are not', async () => {
    await publish('a', 'b')
    const [first, second] = await start(2)
    expect(first?.info).toMatchObject({ stream, deliveryCount: 1, deliverySequence: 1 })
    expect(second?.info).toMatchObject({ deliveryCount: 1, deliverySequence: 2 })
    first?.ack()
    second?.nak(1)
    const [again] = await start(2)
    expect(again?.info).toMatchObject({
      streamSequence: second?.info.streamSequence,
      timestampNanos: second?.info.timestampNanos,
      deliveryCount: 2,
      deliverySequence: 3,
    })
    again?.term()
  })

  it('ends with the received messages when it is stopped', async () => {
    const stop = new AbortController()
    const waiting = start(10, stop.signal)
    stop.abort()
    expect(await waiting).toEqual([])
    expect(await start(10, stop.signal)).toEqual([])
  })

  it('rejects when the consumer is deleted', async () => {
    const rejected = expect(start(10)).rejects.toThrow('409 Consumer Deleted')
    await connection.flush()
    await manager.consumers.delete(stream, 'test')
    await rejected
  })

  it('returns the messages that it received before it failed', async () => {
    const subscribe = connection.subscribe.bind(connection)
    const failing = vi.spyOn(connection, 'subscribe').mockImplementationOnce((inbox, { callback, ...options } = {}) =>
      subscribe(inbox, {
        ...options,
        // Instead of the end of the response.
        callback: (error, message) =>
          callback?.(message.subject === inbox ? new Error('the connection broke') : error, message),
      }),
    )
    await publish('a')
    const pulled = start(2)
    failing.mockRestore()
    expect(await textsOf(pulled)).toEqual(['a'])
  })

  it('rejects on a connection that was closed', async () => {
    const closed = await connect({ servers: requireEnv('TEST_NATS_URL') })
    await closed.close()
    await expect(pull(closed, options, 1, unlimited)).rejects.toThrow()
  })
})

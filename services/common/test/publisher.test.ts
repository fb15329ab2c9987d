import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPublisher } from '../src/events/publisher.ts'
import { requireEnv } from '../testing/require-env.ts'

describe('a message is not published', () => {
  let connection: NatsConnection

  beforeAll(async () => {
    connection = await connect({ servers: requireEnv('TEST_NATS_URL') })
  })
  afterEach(() => vi.useRealTimers())
  afterAll(() => connection.close())

  const publish = (subject: string) => createPublisher(connection, 'test').publish(subject, Buffer.from('x'), headers())

  it('if no stream has its subject', async () => {
    await expect(publish('publisher-test.unknown')).rejects.toMatchObject({ message: 'no stream has the subject' })
  })

  it('if the stream rejects it or sends an invalid acknowledgement', async () => {
    const error = { code: 503, err_code: 10077, description: 'maximum messages exceeded' }
    for (const response of [{ error }, {}]) {
      const subscription = connection.subscribe('publisher-test.full', {
        callback: (_, message) => void message.respond(JSON.stringify(response)),
      })
      await expect(publish('publisher-test.full')).rejects.toThrow(/maximum messages exceeded|invalid acknowledgement/)
      subscription.unsubscribe()
    }
  })

  it('if the server rejects the subscription to acknowledgements', async () => {
    const subscribe = vi.spyOn(connection, 'subscribe')
    const publisher = createPublisher(connection, 'test')
    const [, options] = subscribe.mock.lastCall ?? []
    subscribe.mockRestore()
    connection.subscribe('publisher-test.rejected')
    const published = publisher.publish('publisher-test.rejected', Buffer.from('x'), headers())
    // As the client library does it: without a message.
    options?.callback?.(new Error('permissions violation'), {} as Msg)
    await expect(published).rejects.toThrow('permissions violation')
  })

  it('if there is no acknowledgement within 2.5 seconds, regardless of later publishes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    connection.subscribe('publisher-test.silent')
    const publisher = createPublisher(connection, 'test')
    const outcomes: string[] = []
    const send = (name: string) =>
      publisher.publish('publisher-test.silent', Buffer.from(name), headers()).catch(() => outcomes.push(name))
    const first = send('first')
    vi.advanceTimersByTime(1500)
    const second = send('second')
    vi.advanceTimersByTime(1000)
    await first
    expect(outcomes).toEqual(['first'])
    vi.advanceTimersByTime(1500)
    await second
    expect(outcomes).toEqual(['first', 'second'])
  })
})

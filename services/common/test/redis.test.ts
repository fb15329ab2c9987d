import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRedis, defineScript, type Redis } from '../src/redis/index.ts'
import { inTrace } from '../src/telemetry/index.ts'
import { recordSpans } from '../testing/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { silentLog, waitFor } from './harness.ts'

describe('Redis', () => {
  let proxy: TcpProxy
  let redis: Redis
  let keyPrefix: string

  beforeEach(async () => {
    proxy = await startTcpProxy(requireEnv('TEST_REDIS_URL'))
    keyPrefix = `test:${randomUUID()}:`
    redis = createRedis({ url: proxy.url, keyPrefix, commandTimeoutMs: 500, log: silentLog })
    await waitFor(() => redis.isReady(), 'Redis')
  })
  afterEach(async () => {
    await redis.close()
    await proxy.close()
  })

  const unavailable = { code: 'service-unavailable' }

  it('stores values under the prefix until they expire', async () => {
    await redis.set('a', '1', 60_000)
    expect(await redis.getAll(['a', 'b'])).toEqual(['1', null])
    const bare = createRedis({ url: proxy.url, log: silentLog })
    await waitFor(() => bare.isReady(), 'Redis')
    expect(await bare.getAll([`${keyPrefix}a`])).toEqual(['1'])
    await bare.close()
    await redis.set('short', '1', 1)
    await waitFor(async () => (await redis.getAll(['short']))[0] === null, 'the key to expire')
  })

  it('reads keys that are requested in one turn by one command, each caller getting its own values', async () => {
    await redis.set('a', '1', 60_000)
    await redis.set('b', '2', 60_000)
    const record = recordSpans()
    const read = (...keys: string[]) => inTrace('call', () => redis.getAll(keys))
    const values = await Promise.all([read('a', 'b'), read('c'), read(), read('b', 'c', 'a')])
    record.stop()
    expect(values).toEqual([['1', '2'], [null], [], ['2', null, '1']])
    // Each caller has a span in its own trace, and the shared command has none.
    expect(new Set(record.spans().map(({ name, traceId }) => `${name} ${traceId}`)).size).toBe(8)
    expect(record.spans()).toHaveLength(8)
    proxy.cut()
    await Promise.all([read('a'), read('b')].map((one) => expect(one).rejects.toMatchObject(unavailable)))
  })

  it('runs a script whether or not Redis has loaded it', async () => {
    // The text is unique, so that Redis cannot have loaded it.
    const script = defineScript(`-- ${randomUUID()}
      redis.call('set', KEYS[1], ARGV[1], 'px', 60000)
      return { redis.call('get', KEYS[1]), 7 }`)
    expect(await redis.run(script, ['scripted'], ['first'])).toEqual(['first', 7])
    expect(await redis.run(script, ['scripted'], [2])).toEqual(['2', 7])
    expect(await redis.getAll(['scripted'])).toEqual(['2'])
  })

  it('delivers messages to subscribers and reports when some may be lost', async () => {
    const received: string[] = []
    let gaps = 0
    redis.subscribe(
      'news',
      (message) => received.push(message),
      () => (gaps += 1),
    )
    await waitFor(async () => {
      await redis.publish('news', 'hello')
      return received.length > 0
    }, 'the first message')
    // Messages from before the subscription count as lost, too.
    expect(gaps).toBe(1)
    proxy.cut()
    await waitFor(() => !redis.isReady(), 'the lost connection to be detected')
    proxy.pass()
    await waitFor(() => gaps === 2, 'the gap to be reported')
    await waitFor(async () => {
      await redis.publish('news', 'again').catch(() => {})
      return received.includes('again')
    }, 'messages to arrive again')
  })

  it('rejects commands immediately while Redis is unavailable, and reconnects', async () => {
    proxy.cut()
    await waitFor(() => !redis.isReady(), 'the lost connection to be detected')
    await expect(redis.getAll(['a'])).rejects.toMatchObject(unavailable)
    await expect(redis.publish('a', 'b')).rejects.toMatchObject(unavailable)
    proxy.pass()
    await waitFor(() => redis.isReady(), 'Redis to be ready')
    await expect(redis.getAll(['a'])).resolves.toEqual([null])
  })

  it('rejects commands while Redis is unresponsive, after a single timeout', async () => {
    proxy.stall()
    await expect(redis.getAll(['a'])).rejects.toMatchObject({ ...unavailable, cause: { message: /did not respond/ } })
    await expect(redis.getAll(['a'])).rejects.toMatchObject({ ...unavailable, cause: { message: /is unresponsive/ } })
    expect(redis.isReady()).toBe(false)
    proxy.pass()
    await waitFor(
      () =>
        redis.getAll(['a']).then(
          () => true,
          () => false,
        ),
      'a successful probe',
    )
    expect(redis.isReady()).toBe(true)
  })

  it('settles all commands in flight when Redis becomes unresponsive', async () => {
    const commands = Array.from({ length: 200 }, () => redis.getAll(['a']))
    proxy.stall()
    const outcomes = await Promise.allSettled(commands)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(unavailable)
    }
  })

  it('can be created and closed when no server listens', async () => {
    const gone = createRedis({ url: 'redis://127.0.0.1:1', log: silentLog })
    gone.subscribe('news', () => {})
    await expect(gone.getAll(['a'])).rejects.toMatchObject(unavailable)
    await gone.close()
  })
})

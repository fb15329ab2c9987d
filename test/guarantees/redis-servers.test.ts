import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@storekeep/common/log'
import { createRedis, defineScript, type Redis } from '@storekeep/common/redis'
import {
  type ClusterGroup,
  runOn,
  type SentinelGroup,
  startClusterGroup,
  startSentinelGroup,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-redis-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const log = createLogger({ service: 'test', level: 'silent' })
const opened: Redis[] = []
afterEach(() => Promise.all(opened.splice(0).map((redis) => redis.close())))

function open(url: string): Redis {
  const redis = createRedis({ url, keyPrefix: 'test:', commandTimeoutMs: 2000, log })
  opened.push(redis)
  return redis
}

async function openReady(url: string): Promise<Redis> {
  const redis = open(url)
  await waitFor('Redis to be ready', () => redis.isReady())
  return redis
}

/** Subscribes, and resolves when a message of the publisher arrives. */
async function listen(subscriber: Redis, publisher: Redis) {
  const heard = { last: '', gaps: 0 }
  subscriber.subscribe(
    'news',
    (message) => (heard.last = message),
    () => (heard.gaps += 1),
  )
  async function arrives(message: string): Promise<void> {
    await waitFor(`the message "${message}" to arrive`, async () => {
      await publisher.publish('news', message)
      return heard.last === message
    })
  }
  await arrives('first')
  return { heard, arrives }
}

const increment = defineScript(`return redis.call('INCR', KEYS[1]) + redis.call('INCR', KEYS[2])`)

describe('Redis behind Sentinel', () => {
  let group: SentinelGroup
  beforeAll(async () => {
    group = await startSentinelGroup(join(folder, 'sentinel'))
  })
  afterAll(() => group?.stop())

  it('is found with the credentials of the sentinels, and not with others', async () => {
    const wrong = open(`redis+sentinel://${group.authority}&sentinel-user=reader&sentinel-password=wrong`)
    const redis = await openReady(
      `redis+sentinel://${group.authority}&sentinel-user=reader&sentinel-password=test-password`,
    )
    await redis.set('a', '1', 60_000)
    expect(await runOn(group.master, (client) => client.get('test:a'))).toBe('1')
    expect(wrong.isReady()).toBe(false)
  })

  it('is found at its new master after a failover, and subscribers learn that messages may be lost', async () => {
    const redis = await openReady(`redis+sentinel://${group.authority}`)
    const { heard, arrives } = await listen(redis, redis)
    expect(heard.gaps).toBe(1)
    await group.master.kill('SIGKILL')
    await waitFor('commands to succeed again', () => redis.set('b', '2', 60_000).then(() => true))
    expect(await runOn(group.replica, (client) => client.get('test:b'))).toBe('2')
    await arrives('after the failover')
    expect(heard.gaps).toBe(2)
    expect(await redis.run(increment, ['c', 'd'], [])).toBe(2)
  })
})

describe('a Redis Cluster', () => {
  let group: ClusterGroup
  let redis: Redis
  beforeAll(async () => {
    group = await startClusterGroup(join(folder, 'cluster'))
  })
  afterAll(() => group?.stop())

  const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`)

  it('serves keys of all nodes, and scripts whose keys have one slot', async () => {
    redis = await openReady(`redis+cluster://${group.authority}`)
    await Promise.all(keys.map((key) => redis.set(key, `value of ${key}`, 60_000)))
    expect(await redis.getAll([...keys, 'unknown'])).toEqual([...keys.map((key) => `value of ${key}`), null])
    const counts = await Promise.all(group.masters.map((node) => runOn(node, (client) => client.dbSize())))
    expect(counts.every((count) => count > 0)).toBe(true)
    expect(counts.reduce((sum, count) => sum + count)).toBe(keys.length)
    expect(await redis.run(increment, ['limit:{group}:a', 'limit:{group}:b'], [])).toBe(2)
    await expect(redis.run(increment, ['limit:a', 'limit:b'], [])).rejects.toMatchObject({
      cause: { message: /CROSSSLOT/ },
    })
  })
})

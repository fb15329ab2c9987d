import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import type { TlsConfig } from '@storekeep/common/config'
import { createLogger } from '@storekeep/common/log'
import { createRedis, defineScript, type Redis } from '@storekeep/common/redis'
import { type Authority, createAuthority, mountCertificate } from '@storekeep/common/testing/certificates'
import {
  type ClusterGroup,
  type RedisServer,
  runOn,
  type SentinelGroup,
  startClusterGroup,
  startSentinelGroup,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-redis-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const trusted = tls.getCACertificates('default')
let authority: Authority
let certificate: TlsConfig
beforeAll(async () => {
  authority = await createAuthority()
  const issued = await authority.issue(['127.0.0.1'])
  certificate = mountCertificate(join(folder, 'certificate'), issued).config
  // Like NODE_EXTRA_CA_CERTS in a process.
  tls.setDefaultCACertificates([...trusted, authority.ca])
})
afterAll(() => tls.setDefaultCACertificates(trusted))

/** Expects that a server is rejected by a process that trusts other authorities only. */
async function expectRejection(url: string): Promise<void> {
  const lines: string[] = []
  const other = await createAuthority('other')
  tls.setDefaultCACertificates([...trusted, other.ca])
  try {
    const redis = open(url, createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } }))
    await waitFor('the reason to be logged', () => /unable to verify|self-signed certificate/.test(lines.join('')))
    expect(redis.isReady()).toBe(false)
    await expect(redis.set('a', '1', 1000)).rejects.toMatchObject({ code: 'service-unavailable' })
  } finally {
    await Promise.all(opened.splice(0).map((one) => one.close()))
    tls.setDefaultCACertificates([...trusted, authority.ca])
  }
}

const silent = createLogger({ service: 'test', level: 'silent' })
const opened: Redis[] = []
afterEach(() => Promise.all(opened.splice(0).map((redis) => redis.close())))

function open(url: string, log = silent): Redis {
  const redis = createRedis({ url, keyPrefix: 'test:', commandTimeoutMs: 2000, log })
  opened.push(redis)
  return redis
}

async function openReady(url: string): Promise<Redis> {
  const redis = open(url)
  await waitFor('Redis to be ready', () => redis.isReady())
  return redis
}

/** Subscribes to a channel, and resolves when a message has arrived. */
async function listen(redis: Redis, channel: string) {
  const heard = { last: '', gaps: 0 }
  redis.subscribe(
    channel,
    (message) => (heard.last = message),
    () => (heard.gaps += 1),
  )
  async function arrives(message: string): Promise<void> {
    await waitFor(`the message "${message}" to arrive`, async () => {
      await redis.publish(channel, message)
      return heard.last === message
    })
  }
  await arrives('first')
  return { heard, arrives }
}

const increment = defineScript(`return redis.call('INCR', KEYS[1]) + redis.call('INCR', KEYS[2])`)

/** A script that only one test runs: no node has loaded it before. */
const append = defineScript(`redis.call('APPEND', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])`)

describe('Redis behind Sentinel, over TLS', () => {
  let group: SentinelGroup
  beforeAll(async () => {
    group = await startSentinelGroup(join(folder, 'sentinel'), { tls: certificate })
  })
  afterAll(() => group?.stop())

  it('is found with the credentials of the sentinels, and not with others', async () => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const wrong = open(
      `rediss+sentinel://${group.authority}&sentinel-user=reader&sentinel-password=wrong`,
      createLogger({ service: 'test', destination }),
    )
    const redis = await openReady(
      `rediss+sentinel://${group.authority}&sentinel-user=reader&sentinel-password=test-password`,
    )
    await redis.set('a', '1', 60_000)
    expect(await runOn(group.master, (client) => client.get('test:a'))).toBe('1')
    expect(wrong.isReady()).toBe(false)
    await waitFor('the reason to be logged', () => /no sentinel knows the master.*WRONGPASS/.test(lines.join('')))
  })

  it('is not used with a certificate of an unknown authority, and not without TLS', async () => {
    await expectRejection(`rediss+sentinel://${group.authority}`)
    const plain = open(`redis+sentinel://${group.authority}`)
    await expect(plain.set('a', '1', 1000)).rejects.toMatchObject({ code: 'service-unavailable' })
  })

  it('is found at its new master after a failover, and subscribers learn that messages may be lost', async () => {
    const redis = await openReady(`rediss+sentinel://${group.authority}`)
    const { heard, arrives } = await listen(redis, 'news')
    group.master.kill('SIGKILL')
    await waitFor('commands to succeed again', () => redis.set('b', '2', 60_000).then(() => true))
    expect(await runOn(group.replica, (client) => client.get('test:b'))).toBe('2')
    await arrives('after the failover')
    expect(heard.gaps).toBe(2)
  })
})

describe('a Redis Cluster', () => {
  let group: ClusterGroup
  beforeAll(async () => {
    group = await startClusterGroup(join(folder, 'cluster'), { tls: certificate })
  })
  afterAll(() => group?.stop())

  const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`)

  it('serves keys of all nodes, and scripts whose keys have one slot', async () => {
    const redis = await openReady(`redis+cluster://${group.authority}`)
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

  it('is used over TLS, and not with a certificate of an unknown authority', async () => {
    const url = `rediss+cluster://${group.secureAuthority}`
    const redis = await openReady(url)
    await Promise.all(keys.map((key) => redis.set(key, `secret ${key}`, 60_000)))
    expect(await redis.getAll(keys)).toEqual(keys.map((key) => `secret ${key}`))
    await listen(redis, 'secure')
    await expectRejection(url)
  })

  it('serves the keys of a slot while it moves to another node, and afterwards', async () => {
    const redis = await openReady(`redis+cluster://${group.authority}`)
    const key = 'moving'
    const { from, to, finish } = await startMoving(redis.slotOf(key))
    // The old owner does not have the key, so it refers to the new one.
    await redis.set(key, 'on its way', 60_000)
    const slot = redis.slotOf(key)
    const counts = [from, to].map((node) => runOn(node, (client) => client.clusterCountKeysInSlot(slot)))
    expect(await Promise.all(counts)).toEqual([0, 1])
    expect(await redis.getAll([key])).toEqual(['on its way'])
    expect(await redis.run(append, [key], ['!'])).toBe('on its way!')
    await finish()
    expect(await redis.getAll([key])).toEqual(['on its way!'])
  })

  it('runs a script whose keys are on two nodes as soon as their slot has moved, and waits for a limited time', async () => {
    const url = `redis+cluster://${group.authority}`
    const redis = await openReady(url)
    const keys = ['split:{group}:a', 'split:{group}:b']
    await redis.run(increment, keys, [])
    const { from, to, finish } = await startMoving(redis.slotOf('split:{group}:a'))
    const move = (key?: string) =>
      runOn(from, (client) =>
        client.sendCommand(['MIGRATE', '127.0.0.1', String(to.securePort), '', '0', '5000', 'KEYS', `test:${key}`]),
      )
    const rejections = async () =>
      Number(/errorstat_TRYAGAIN:count=(\d+)/.exec(await runOn(from, (client) => client.info('errorstats')))?.[1] ?? 0)
    await move(keys[0])
    const impatient = createRedis({ url, keyPrefix: 'test:', commandTimeoutMs: 250, log: silent })
    opened.push(impatient)
    await waitFor('the script to fail', async () => {
      const error = await impatient.run(increment, keys, []).catch((reason: unknown) => reason)
      return error instanceof Error && error.cause instanceof Error && error.cause.message.startsWith('TRYAGAIN')
    })
    const before = await rejections()
    const waiting = redis.run(increment, keys, [])
    await waitFor('the script to be rejected', async () => (await rejections()) > before)
    await move(keys[1])
    expect(await waiting).toBe(4)
    await finish()
    expect(await redis.run(increment, keys, [])).toBe(6)
  })

  it('loses only the slots of a failed master, until its replica takes over', async () => {
    const redis = await openReady(`redis+cluster://${group.authority}`)
    const victim = group.masters[0] as RedisServer
    const [affected, others] = [true, false].map((isAffected) =>
      keys.filter((key) => (ownerOf(redis.slotOf(key)) === victim) === isAffected),
    ) as [string[], string[]]
    const { heard, arrives } = await listen(redis, affected[0] as string)
    victim.kill('SIGKILL')
    await waitFor('the end of the connection', () => !redis.isReady())
    const [lost, kept] = await Promise.allSettled([redis.getAll(affected.slice(0, 2)), redis.getAll(others)])
    expect([lost?.status, kept?.status]).toEqual(['rejected', 'fulfilled'])
    await waitFor('the replica to take over', () => redis.getAll(affected).then(() => true))
    await arrives('after the failover')
    expect(heard.gaps).toBe(2)
  })

  /** Starts to move a slot to another node; its keys stay. */
  async function startMoving(slot: number) {
    const from = ownerOf(slot)
    const to = group.masters.find((node) => node !== from) as RedisServer
    const [fromId, toId] = await Promise.all([from, to].map((node) => runOn(node, (client) => client.clusterMyId())))
    const setSlot = (node: RedisServer, ...state: string[]) =>
      runOn(node, (client) => client.sendCommand(['CLUSTER', 'SETSLOT', String(slot), ...state]))
    await setSlot(to, 'IMPORTING', String(fromId))
    await setSlot(from, 'MIGRATING', String(toId))
    const finish = async () => {
      for (const node of [to, from]) await setSlot(node, 'NODE', String(toId))
    }
    return { from, to, finish }
  }

  function ownerOf(slot: number): RedisServer {
    return group.masters[Math.floor((slot * 3) / 16_384)] as RedisServer
  }
})

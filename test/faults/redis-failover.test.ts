import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningServer } from '@storekeep/local/infra'
import {
  cutOff,
  fresh,
  type HttpClient,
  report,
  runOn,
  type System,
  scaled,
  seededRandom,
  startClusterGroup,
  startSentinelGroup,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { expect, it } from 'vitest'
import { startCarelessProxy } from './careless-proxy.ts'
import { createTokenWatch, type TokenWatch } from './token-watch.ts'

// A Redis master is killed under load, after its replica was cut off: the promoted replica has none of the latest revocations.

const setups: Record<string, (dir: string) => Promise<Setup>> = {
  async Sentinel(dir) {
    const { master, replica, authority, stop } = await startSentinelGroup(dir, { downAfterMs: 2000 })
    return { url: `redis+sentinel://${authority}`, victim: master, heir: replica, stop }
  },
  async Cluster(dir) {
    const { masters, replicas, authority, stop } = await startClusterGroup(dir)
    // The master that counts sign-ins.
    const slot = await runOn(masters[0] as RunningServer, (client) => client.clusterKeySlot('{sign-in}'))
    const index = Math.floor((slot * 3) / 16_384)
    const [victim, heir] = [masters[index] as RunningServer, replicas[index] as RunningServer]
    return { url: `redis+cluster://${authority}`, victim, heir, stop }
  },
}

it.each(Object.keys(setups))(
  'a failover of %s that loses revocations makes no gateway accept a revoked token, fails no request and lifts no limit',
  async (kind) => {
    const dir = mkdtempSync(join(tmpdir(), 'storekeep-failover-'))
    const redis = await (setups[kind] as (typeof setups)[string])(dir)
    const proxy = await startCarelessProxy({ acceptsForMs: 600_000 })
    let system: System | undefined
    try {
      system = await start(redis.url, proxy.address)
      proxy.connect(system.customers.address)
      await failOver(kind, system, redis)
    } finally {
      await system?.stop()
      await proxy.stop()
      await redis.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  },
)

function start(url: string, carelessAddress: string): Promise<System> {
  const settingsOf = (user: string) => ({ REDIS_URL: url.replace('//', `//${user}:test-password@`), LOG_LEVEL: 'warn' })
  const gateway = {
    RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000000',
    RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: String(signInsPerMinute),
    RATE_LIMIT_REPLICAS: '2',
    // Generous for a busy machine: the test looks for requests that fail because of Redis.
    REQUEST_TIMEOUT_MS: '10000',
  }
  return startSystem({
    only: ['stores', 'customers'],
    gateways: [gateway, gateway, { ...gateway, CUSTOMERS_ADDRESS: carelessAddress }],
    settings: Object.fromEntries(['stores', 'customers', 'gateway'].map((name) => [name, settingsOf(name)])),
  })
}

const signInsPerMinute = 100

async function failOver(kind: string, system: System, { victim, heir }: Setup): Promise<void> {
  const random = seededRandom()
  const [first, second, careless] = [0, 1, 2].map((index) => system.openGateway(index, { checked: false })) as [
    HttpClient,
    HttpClient,
    HttpClient,
  ]
  const store = (await system.createStore({ game: 'minecraft_offline' })).through(first)
  const watch = createTokenWatch(store, [first, second], random)
  // Negative control: this gateway accepts what it has accepted before, unless Redis rejects it.
  const control = createTokenWatch(store, [careless], random)
  const signIns = createSignIns([store, store.through(second)])
  await watch.addValid(5)
  await control.addValid(5)

  let isOver = false
  const load = [
    ...Array.from({ length: 4 }, () => watch.keepProbing(() => isOver)),
    ...[0, 1].map((gateway) => signIns.keepSending(gateway, () => isOver)),
  ]
  try {
    await waitFor('the sign-ins to be limited', () => signIns.counts.limited > 0)
    // Redis limits them, not each gateway alone.
    expect(await runOn(victim, (client) => client.keys('*:limit:{sign-in}:sign-in-store:*'))).toHaveLength(1)
    await cutOff(heir)
    const lost = await revokeOnVictim({ victim, heir }, [watch, control])
    expect([watch.violations, control.violations]).toEqual([[], []])

    watch.enter('failover')
    control.enter('failover')
    const limitedBefore = signIns.counts.limited
    const killedAt = performance.now()
    victim.kill('SIGKILL')
    await waitFor('the replica to be promoted', () =>
      runOn(heir, async (client) => isMaster(await client.info('replication'))),
    )
    const promotedMs = performance.now() - killedAt
    await waitFor('all components to use it', () =>
      runOn(heir, async (client) => {
        const clients = String(await client.sendCommand(['CLIENT', 'LIST']))
        return ['stores', 'customers', 'gateway'].every((name) => clients.includes(`user=${name} `))
      }),
    )
    const connectedMs = performance.now() - killedAt

    load.push(control.keepProbing(() => isOver || control.violations.length > 0))
    await waitFor('the control to accept a revoked token', () => control.violations.length > 0)
    const probes = watch.probesInPhase()
    await waitFor('more probes', () => watch.probesInPhase() >= probes + scaled(500))
    await watch.revokeOne()
    await waitFor('the sign-ins to be limited again', () => signIns.counts.limited > limitedBefore)
    isOver = true
    await Promise.all(load)
    report(`failover of Redis ${kind}`, {
      seed: random.seed,
      'revocations lost': lost,
      ...watch.counts,
      violations: watch.violations.length,
      'violations of the control': control.violations.length,
      'sign-ins': JSON.stringify(signIns.counts),
      'most sign-ins per minute': signIns.mostPerMinute(),
      'ms from the crash to the promotion': Math.round(promotedMs),
      'ms from the crash to the use of the new master': Math.round(connectedMs),
    })
  } finally {
    isOver = true
    await Promise.allSettled(load)
  }
  expect(watch.violations).toEqual([])
  expect(watch.counts).toMatchObject({ unavailable: 0, broken: 0 })
  expect(control.violations.every((text) => text.includes('after the 204'))).toBe(true)
  expect(signIns.unexpected).toEqual([])
  // A lost counter starts from zero.
  expect(signIns.mostPerMinute()).toBeLessThanOrEqual(2 * signInsPerMinute)
}

/** Revokes tokens of each watch until some of the revocations are only on the server that will be killed. @returns how many */
async function revokeOnVictim(
  { victim, heir }: Pick<Setup, 'victim' | 'heir'>,
  watches: TokenWatch[],
): Promise<number> {
  async function countLost(): Promise<number> {
    const known = new Set(await epochsOf(heir))
    return (await epochsOf(victim)).filter((key) => !known.has(key)).length
  }
  for (const watch of watches) {
    // The last one is always probed: the watch prefers the latest.
    for (const goal = (await countLost()) + 3; (await countLost()) < goal; ) await watch.revokeOne()
  }
  return await countLost()
}

function epochsOf(server: RunningServer): Promise<string[]> {
  return runOn(server, (client) => client.keys('*:epoch:*'))
}

function isMaster(info: string): boolean {
  return info.includes('role:master')
}

/** Signs customers in through each gateway, one after another. */
function createSignIns(stores: readonly TestStore[]) {
  const counts = { granted: 0, limited: 0 }
  const unexpected: string[] = []
  const grantedAt: number[] = []
  return {
    counts,
    unexpected,
    async keepSending(gateway: number, isOver: () => boolean): Promise<void> {
      for (; !isOver(); await pause(10)) {
        const json = { platform: 'minecraft', id: fresh.name() }
        const response = await stores[gateway]?.shop('POST', '/store/customer/auth', { json })
        if (response?.status === 200) counts.granted = grantedAt.push(performance.now())
        else if (response?.status === 429) counts.limited += 1
        else unexpected.push(response?.text ?? 'no response')
      }
    },
    mostPerMinute(): number {
      return Math.max(...grantedAt.map((at) => grantedAt.filter((other) => other >= at && other < at + 60_000).length))
    },
  }
}

interface Setup {
  url: string
  /** The master that is killed, and its replica. */
  victim: RunningServer
  heir: RunningServer
  stop(): Promise<void>
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { freePort, type RunningServer, startNats } from '@storekeep/local/infra'
import { report, type System, scaled, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import { afterEach, expect, it, vi } from 'vitest'
import { startChangeWorkload } from './change-workload.ts'
import { observerSchema, openObservers } from './event-observer.ts'
import { judgeDelivery } from './outbox-verdict.ts'
import { startUnsafePublisher } from './unsafe-publisher.ts'

afterEach(() => vi.unstubAllEnvs())

/** A stream with three replicas, whose leader is killed again and again under writes. */
it('applies every acknowledged change exactly once although leaders of the stream are killed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'storekeep-stream-'))
  const servers = await startServers(dir)
  let system: System | undefined
  try {
    vi.stubEnv('TEST_NATS_URL', servers.url)
    // These servers have no users.
    vi.stubEnv('TEST_SERVER_USERS', '')
    system = await startSystem({
      only: ['stores', 'customers'],
      schemas: [observerSchema],
      settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
    })
    await killLeaders(system, servers)
  } finally {
    await system?.stop()
    await servers.stop()
    rmSync(dir, { recursive: true, force: true })
  }
})

async function killLeaders(system: System, servers: Servers): Promise<void> {
  const { stream } = system
  const random = seededRandom()
  const observers = await openObservers(system)
  const stopObserving = observers.observe('exact')
  // Follows docs/deploying.md.
  await onStreams(servers.url, async (manager) => void (await manager.streams.update(stream, { num_replicas: 3 })))
  await leaderOf(servers.url, stream, 2)
  // Negative control: publishes without an outbox.
  const unsafe = await startUnsafePublisher(servers.url, stream.toLowerCase())
  const store = await system.createStore()
  const clients = Array.from({ length: 4 }, () => system.openGateway(0, { checked: false }))
  const workload = startChangeWorkload(store, clients, random)
  workload.onAcknowledged(({ mark }) => unsafe.publish(mark))
  const electionMs: number[] = []
  for (let round = 0; round < scaled(5); round++) {
    await workload.more(40 + random.below(120))
    const leader = await leaderOf(servers.url, stream, 2)
    const killedAt = performance.now()
    await servers.kill(leader)
    await waitFor('another leader', async () => (await leaderOf(servers.url, stream, 1)) !== leader)
    electionMs.push(Math.round(performance.now() - killedAt))
    await workload.more(40)
    await servers.restart(leader)
  }
  await workload.more(50)
  await workload.stop()

  const verdict = await judgeDelivery(system, store.id, workload, observers, 'exact')
  const lost = await unsafe.lost(stream)
  await stopObserving()
  await unsafe.close()
  await observers.close()
  report('leaders of the stream killed', {
    seed: random.seed,
    'acknowledged changes': workload.acknowledged.size,
    'failed calls': workload.failedCount(),
    leaders: electionMs.length,
    'ms to another leader': electionMs.join(' '),
    applied: verdict.applied.length,
    lost: verdict.missing.length,
    'applied twice': verdict.repeated.length,
    'lost without the outbox': lost,
  })
  expect(verdict.missing).toEqual([])
  expect(verdict.repeated).toEqual([])
  expect(verdict.applied).toEqual(verdict.published)
  expect(lost).toBeGreaterThan(0)
}

/** The name of the stream's leader, once that many other replicas are current. */
async function leaderOf(url: string, stream: string, others: number): Promise<string> {
  return await waitFor('a leader', () =>
    onStreams(url, async (manager) => {
      const { cluster } = await manager.streams.info(stream)
      const current = cluster?.replicas?.filter((replica) => replica.current && !replica.offline)
      return (current?.length ?? 0) >= others && cluster?.leader
    }),
  )
}

async function onStreams<T>(url: string, run: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const nats = await connect({ servers: url.split(','), reconnect: false, timeout: 5_000 })
  try {
    return await run(await jetstreamManager(nats))
  } finally {
    await nats.close()
  }
}

/** Starts three NATS servers with JetStream as one cluster. */
async function startServers(dir: string): Promise<Servers> {
  const names = ['a', 'b', 'c']
  const ports = await Promise.all(names.map(() => freePort()))
  const clusterPorts = await Promise.all(names.map(() => freePort()))
  const routes = clusterPorts.map((port) => `nats-route://127.0.0.1:${port}`).join(', ')
  const running = new Map<string, RunningServer>()

  async function start(name: string): Promise<void> {
    const index = names.indexOf(name)
    const cluster = `cluster { name: test, listen: "127.0.0.1:${clusterPorts[index]}", routes: [${routes}] }`
    const config = `server_name: ${name}\n${cluster}\n`
    running.set(name, await startNats({ dataDir: join(dir, name), port: ports[index], config }))
  }

  const stop = async () => void (await Promise.all([...running.values()].map((server) => server.stop())))
  const url = ports.map((port) => `nats://127.0.0.1:${port}`).join(',')
  try {
    await Promise.all(names.map(start))
    await waitFor('JetStream', () => onStreams(url, async (manager) => (await manager.getAccountInfo()) !== undefined))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    stop,
    restart: start,
    async kill(name) {
      running.get(name)?.kill('SIGKILL')
      await running.get(name)?.exited
    },
  }
}

interface Servers {
  /** Stops all servers. */
  url: string
  /** SIGKILL. */
  kill(name: string): Promise<void>
  /** Continues with the data of the killed server. */
  restart(name: string): Promise<void>
  stop(): Promise<void>
}

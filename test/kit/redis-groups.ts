import { join } from 'node:path'
import { createClient, type RedisClientType } from '@redis/client'
import type { TlsConfig } from '@storekeep/common/config'
import { freePort, type RunningServer, startRedis } from '@storekeep/local/infra'
import { startRedisSentinel } from './servers/index.ts'
import { waitFor } from './wait-for.ts'

/**
 * Starts a Redis master with one replica, and a sentinel that promotes the replica when the master has stopped responding.
 *
 * @param options.downAfterMs how long it does not respond before that. The sentinel never promotes a replica that was cut off
 * for ten times as long before
 */
export async function startSentinelGroup(
  dir: string,
  { downAfterMs = 500, tls }: { downAfterMs?: number; tls?: TlsConfig } = {},
): Promise<SentinelGroup> {
  return await startAll(async (servers) => {
    const master = await start(servers, join(dir, 'master'), [], tls)
    const replicaOf = ['--replicaof', '127.0.0.1', String(master.securePort ?? master.port)]
    const replica = await start(servers, join(dir, 'replica'), replicaOf, tls)
    const securePort = tls && (await freePort())
    await waitForReplica(replica)
    const sentinel = await startRedisSentinel({
      dir: join(dir, 'sentinel'),
      name: masterName,
      masterPort: master.securePort ?? master.port,
      quorum: 1,
      downAfterMs,
      settings: securePort === undefined ? [] : tlsSettings(tls, securePort).map((setting) => setting.join(' ')),
    })
    servers.push({ ...sentinel, securePort })
    await runOn(sentinel, (client) =>
      waitFor('the sentinel to know the replica', async () => {
        const info = await client.info('sentinel')
        return /status=ok.*slaves=1,/.test(info)
      }),
    )
    const authority = `127.0.0.1:${securePort ?? sentinel.port}/?master=${masterName}`
    return { master, replica, sentinel, authority }
  })
}

const masterName = 'storekeep'

/** Starts a Redis Cluster of three masters with one replica each, which take over about a second after their master's end. */
export async function startClusterGroup(dir: string, { tls }: { tls?: TlsConfig } = {}): Promise<ClusterGroup> {
  return await startAll(async (servers) => {
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const bus = ['--cluster-port', String(await freePort()), '--cluster-node-timeout', '1000']
        // The other nodes serve their slots during a failover, and a replica takes over after any time offline.
        const rules = ['--cluster-require-full-coverage', 'no', '--cluster-replica-validity-factor', '0']
        await start(servers, join(dir, `node-${index}`), ['--cluster-enabled', 'yes', ...bus, ...rules], tls)
      }),
    )
    const masters = servers.slice(0, 3)
    for (const [index, server] of servers.entries()) {
      await runOn(server, async (client) => {
        // Otherwise the nodes would first have to agree on distinct epochs.
        await client.clusterSetConfigEpoch(index + 1)
        const [start, end] = [index, index + 1].map((part) => Math.floor((part * 16_384) / 3)) as [number, number]
        if (index < masters.length) await client.clusterAddSlotsRange({ start, end: end - 1 })
        for (const other of servers.slice(0, index)) {
          const port = String(other.securePort ?? other.port)
          await client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', port, await busPortOf(other)])
        }
      })
    }
    for (const [index, master] of masters.entries()) {
      const replica = servers[index + 3] as RedisServer
      const id = await runOn(master, (client) => client.clusterMyId())
      await runOn(replica, (client) =>
        waitFor('the replica to know its master', async () => (await client.clusterReplicate(id)) === 'OK'),
      )
      await waitForReplica(replica)
    }
    for (const server of servers) {
      await runOn(server, (client) =>
        waitFor('the Cluster to serve all slots', async () => {
          const info = await client.clusterInfo()
          const replicas = (await client.clusterNodes()).match(/slave .* connected/g)
          return info.includes('cluster_state:ok') && replicas?.length === 3
        }),
      )
    }
    const authority = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const secureAuthority = servers.map(({ securePort }) => `127.0.0.1:${securePort}`).join(',')
    return { masters, replicas: servers.slice(3), authority, secureAuthority }
  })
}

/** Sends commands to one server, with all rights. */
export async function runOn<T>(server: { port: number }, run: (client: RedisClientType) => Promise<T>): Promise<T> {
  const client = createClient({ socket: { host: '127.0.0.1', port: server.port, reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client as RedisClientType)
  } finally {
    client.destroy()
  }
}

/** Cuts a replica off from its master until it is promoted; the sentinel and the other nodes still reach it. */
export async function cutOff(replica: { port: number }): Promise<void> {
  await runOn(replica, async (client) => {
    await client.configSet('masterauth', 'not the password')
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'master'])
    await waitFor('the replica to be cut off', async () =>
      (await client.info('replication')).includes('master_link_status:down'),
    )
  })
}

async function startAll<T>(build: (servers: RedisServer[]) => Promise<T>): Promise<T & { stop(): Promise<void> }> {
  const servers: RedisServer[] = []
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())))
  try {
    return { ...(await build(servers)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A replica copies the data of its master immediately, without waiting for other replicas. */
async function start(
  servers: RedisServer[],
  dir: string,
  args: readonly string[],
  tls: TlsConfig | undefined,
): Promise<RedisServer> {
  const securePort = tls && (await freePort())
  const secure = securePort === undefined ? [] : [...tlsSettings(tls, securePort), ['tls-cluster', 'yes']]
  const options = [...secure.flatMap(([name, value]) => [`--${name}`, value ?? '']), ...args]
  const server = await startRedis({ dir, args: ['--repl-diskless-sync-delay', '0', ...options] })
  const started = { ...server, securePort }
  servers.push(started)
  return started
}

/** Clients with or without TLS are accepted, at two ports; the servers use TLS among themselves. */
function tlsSettings(tls: TlsConfig | undefined, port: number): string[][] {
  const { certFile = '', keyFile = '', caFile = '' } = tls ?? {}
  return [
    ['tls-port', String(port)],
    ['tls-cert-file', certFile],
    ['tls-key-file', keyFile],
    ['tls-ca-cert-file', caFile],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ]
}

async function waitForReplica(replica: RunningServer): Promise<void> {
  await runOn(replica, (client) =>
    waitFor('the replica to be in sync', async () =>
      (await client.info('replication')).includes('master_link_status:up'),
    ),
  )
}

async function busPortOf(server: RunningServer): Promise<string> {
  const settings = await runOn(server, (client) => client.configGet('cluster-port'))
  return String(settings['cluster-port'])
}

export interface RedisServer extends RunningServer {
  /** Port for TLS connections. */
  securePort: number | undefined
}

export interface SentinelGroup {
  master: RedisServer
  replica: RedisServer
  sentinel: RunningServer
  /** What follows the credentials in a REDIS_URL; with TLS if the group has it. */
  authority: string
  stop(): Promise<void>
}

export interface ClusterGroup {
  masters: readonly RedisServer[]
  /** In the order of their masters. */
  replicas: readonly RedisServer[]
  /** What follows the credentials in a REDIS_URL. */
  authority: string
  /** The same with TLS. */
  secureAuthority: string
  stop(): Promise<void>
}

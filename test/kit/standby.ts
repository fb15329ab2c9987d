import { join } from 'node:path'
import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { startTcpProxy } from '@storekeep/common/testing'
import { onServer } from '@storekeep/common/testing/database'
import { startStandby } from './servers/index.ts'

/** Whether a commit waits until the standby has it. */
export type Replication = 'synchronous' | 'asynchronous'

/** Starts a standby of a system's Postgres server, which streams over a proxy. */
export async function openStandby(primaryUrl: string, directory: string, replication: Replication): Promise<Standby> {
  const link = await startTcpProxy(primaryUrl)
  const server = await startStandby({
    primary: { url: primaryUrl, dataDir: join(directory, 'postgres', 'cluster') },
    streamFrom: link.url,
    dataDir: join(directory, 'standby', 'cluster'),
    name: 'standby',
  })
  if (replication === 'synchronous') {
    // Set only after the base backup: the promoted standby must not wait for itself.
    await onServer(primaryUrl, async (client) => {
      await client.query(`alter system set synchronous_standby_names = 'standby'`)
      await client.query('select pg_reload_conf()')
    })
  }
  const primary = parseDatabaseUrl(primaryUrl)
  const hosts = [...primary.hosts, ...parseDatabaseUrl(server.url).hosts]
  return {
    url: server.url,
    listUrl: formatDatabaseUrl({ ...primary, hosts, target: 'read-write' }),
    isolate: () => link.stall(),
    reconnect: () => link.pass(),
    async promote() {
      link.cut()
      await onServer(server.url, (client) => client.query('select pg_promote()'))
    },
    async stop() {
      await server.stop()
      await link.close()
    },
  }
}

export interface Standby {
  readonly url: string
  /** Lists both servers; connects to the primary. */
  readonly listUrl: string
  /** The standby receives nothing more from the primary, and neither of them notices. */
  isolate(): void
  reconnect(): void
  promote(): Promise<void>
  stop(): Promise<void>
}

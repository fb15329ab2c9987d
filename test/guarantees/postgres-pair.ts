import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { startTcpProxy, type TcpProxy } from '@storekeep/common/testing'
import { type RunningServer, startPostgres } from '@storekeep/local/infra'
import { onServer } from '@storekeep/test/kit'
import { startStandby } from '@storekeep/test/kit/servers'

export const log = createLogger({ service: 'test', level: 'silent' })

const opened: Database[] = []

export function open(hosts: readonly { url: string }[], target = 'read-write', timeLimitFactor = 10): Database {
  const [first = { url: '' }] = hosts
  const list = hosts.map(({ url }) => new URL(url).host).join()
  const url = `${first.url.replace(new URL(first.url).host, list)}?target_session_attrs=${target}`
  const database = createDatabase({ url, applicationName: 'test', timeLimitFactor, log })
  opened.push(database)
  return database
}

export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((database) => database.close()))
}

export function openWithReplica({ primary, standby }: Pair, maxLagMs: number, url = standby.url): Database {
  const replica = { url, maxLagMs }
  const database = createDatabase({ url: primary.url, replica, applicationName: 'test', timeLimitFactor: 10, log })
  opened.push(database)
  return database
}

export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'storekeep-servers-'))
  const dataDir = join(folder, 'one')
  let primary = await startPostgres({ dataDir, fast: true })
  await onServer(primary.url, (client) => client.query('create table thing (id int primary key)'))
  const link = await startTcpProxy(primary.url)
  const standby = await startStandby({
    primary: { ...primary, dataDir },
    streamFrom: link.url,
    dataDir: join(folder, 'two'),
    name: 'two',
  })
  return {
    primary,
    standby,
    link,
    folder,
    restartPrimary: async () => {
      primary = await startPostgres({ dataDir, port: primary.port, fast: true })
    },
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop(), link.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Pair {
  primary: RunningServer
  standby: RunningServer
  /** The standby streams over it. */
  link: TcpProxy
  folder: string
  restartPrimary(): Promise<void>
  stop(): Promise<void>
}

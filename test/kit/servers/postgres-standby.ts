import { execFile } from 'node:child_process'
import { appendFileSync, copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningServer, startPostgres } from '@storekeep/local/infra'
import pg from 'pg'

/**
 * Starts a hot standby that streams from a running server. Its cluster is a base backup, which is taken as
 * pg_basebackup would: the npm package of Postgres lacks that program. The standby has the passwords of the primary.
 */
export async function startStandby(options: StandbyOptions): Promise<RunningServer> {
  const { primary, dataDir, name, settings = {}, streamFrom = primary.url } = options
  mkdirSync(dirname(dataDir), { recursive: true })
  await copyCluster(primary.url, primary.dataDir, dataDir)
  copyFileSync(`${primary.dataDir}.password`, `${dataDir}.password`)
  const { hostname, port, username, password } = new URL(streamFrom)
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeFileSync(join(dataDir, 'standby.signal'), '')
  return await startPostgres({ dataDir, fast: true, settings: { wal_retrieve_retry_interval: '100ms', ...settings } })
}

async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await copyFolder(from, to)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    rmSync(join(to, 'postmaster.pid'), { force: true })
    for (const file of globSync(join(to, 'pg_wal', '*[0-9A-F]'))) rmSync(file)
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

/** Keeps the owner, which may be another user. The server can remove a file meanwhile, which cp reports as an error. */
async function copyFolder(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await promisify(execFile)('cp', ['-a', from, to]))
    } catch (error) {
      rmSync(to, { recursive: true, force: true })
      if (attempt === 5) throw error
    }
  }
}

export interface StandbyOptions {
  primary: { url: string; dataDir: string }
  /** The primary behind a proxy, if not `primary.url`. */
  streamFrom?: string
  dataDir: string
  /** For `synchronous_standby_names` of the primary. */
  name: string
  settings?: Readonly<Record<string, string | number>>
}

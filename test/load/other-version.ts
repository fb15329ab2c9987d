import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startNode } from '@storekeep/local/processes'
import { services } from '@storekeep/local/services'
import type { Cluster } from '@storekeep/test/kit/cluster'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname

/**
 * Extracts the sources of a git ref into a new folder, then installs packages and generates code with the scripts of that
 * version.
 * @throws Error if the ref does not exist, a change does not apply or the installation fails
 */
export async function extractVersion(ref: string, folder: string, changes: readonly Change[] = []): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const archive = `${folder}.tar`
  await run('git', ['archive', '--output', archive, ref], { cwd: root })
  await run('tar', ['-xf', archive, '-C', folder])
  for (const { file, replace = '', by } of changes) {
    const path = join(folder, file)
    const before = replace === '' ? '' : readFileSync(path, 'utf8')
    const after = replace === '' ? by : before.replaceAll(replace, by)
    if (after === before) throw new Error(`${file} of ${ref} does not contain "${replace}".`)
    writeFileSync(path, after)
  }
  await run(process.execPath, ['deploy/local/bootstrap.mjs', 'codegen'], { cwd: folder, maxBuffer: 2 ** 26 })
}

/** The record types that search knows in a version. @param sources the folder of the version; this version if undefined */
export async function searchedRecordsOf(sources: string | undefined): Promise<readonly string[]> {
  const file = pathToFileURL(join(sources ?? root, 'proto/conventions/searched-records.ts'))
  const { searchedRecords } = await import(file.href)
  return searchedRecords
}

/**
 * Migrates all schemas as the migrations Job does. A service that the version does not have is skipped.
 * @param sources the folder of the version; this version if undefined
 */
export async function migrateAll({ databaseUrlOf, address }: Cluster, sources: string | undefined): Promise<void> {
  for (const { name } of services) {
    const logFile = join(address.logDirectory, `migrate-${name}.log`)
    const main = `services/${name}/src/migrate.ts`
    if (!existsSync(join(sources ?? root, main))) continue
    const env = { DATABASE_URL: databaseUrlOf(name) }
    const child = await startNode(`migrate ${name}`, { main, root: sources, env, logFile })
    const { code } = await child.exited
    if (code !== 0) throw new Error(`The migrations of ${name} failed: ${readFileSync(logFile, 'utf8').slice(-1000)}`)
  }
}

/**
 * The incompatible changes of the negative controls: releases that rename a column which the previous release uses,
 * renumber a field of a response, and renumber a field of events.
 */
export const controls: Readonly<Record<string, readonly Change[]>> = {
  column: [
    {
      file: 'services/bans/src/db/migrations/9999-rename-reason.sql',
      by: 'alter table ban rename column reason to note;\n',
    },
    { file: 'services/bans/src/db/schema.ts', replace: '"storeId", reason,', by: '"storeId", note as reason,' },
    { file: 'services/bans/src/db/ban-repository.ts', replace: '(store_id, reason,', by: '(store_id, note,' },
    { file: 'services/bans/src/db/ban-repository.ts', replace: 'reason = $', by: 'note = $' },
  ],
  field: [{ file: 'proto/storekeep/bans/v1/ban.proto', replace: 'string reason = 3;', by: 'string reason = 30;' }],
  event: [{ file: 'proto/storekeep/bans/v1/events.proto', replace: 'Ban ban = 1;', by: 'Ban ban = 30;' }],
}

/** Replaces text in a file or, without `replace`, writes the file. */
interface Change {
  file: string
  replace?: string
  by: string
}

import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { formatDatabaseUrl, parseDatabaseUrl } from '../config/index.ts'
import { describeStartFailure } from '../lifecycle/index.ts'
import { createLogger, type Logger } from '../log/index.ts'
import { provisionSchema } from '../postgres/index.ts'
import { type MigrateConfig, readMigrateConfig } from './config.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** The part of a service that migrations need. */
export interface MigratingService {
  name: ServerName
  /**
   * Migrates the schema of the service without starting it.
   * @param target.url contains the service's role
   * @param target.cell the cell that the schema belongs to
   */
  migrate(target: { url: string; cell: number }, log: Logger): Promise<void>
}

/** Runs `migrate` as a process. A failure is one line on stderr and exit code 1. */
export async function runMigrate(service: MigratingService): Promise<void> {
  try {
    const config = readMigrateConfig()
    await migrate(service, config, createLogger({ service: service.name, level: config.log.level }))
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Migrates the database of a service: creates its role and schema if `adminUrl` is given, then runs its migrations. Waits
 * for a database that is starting. Safe to repeat and to run concurrently.
 *
 * @throws Error if `adminUrl` is given and `databaseUrl` has no role or no password, or if `directUrl` has another role
 */
export async function migrate(
  service: MigratingService,
  config: Omit<MigrateConfig, 'log'>,
  log: Logger,
): Promise<void> {
  const { cell } = config
  const url = migrationUrl(config)
  if (config.adminUrl === undefined) await waitForDatabase(url, log)
  else {
    const role = roleOf(url)
    const adminUrl = asAdministrator(url, config.adminUrl)
    await waitForDatabase(adminUrl, log)
    await provisionSchema({ adminUrl, schema: service.name, ...role })
    log.info({ schema: service.name }, 'role and schema ready')
  }
  await service.migrate({ url, cell }, log)
  log.info({ schema: service.name, cell }, 'schema is up to date')
}

function migrationUrl({ databaseUrl, directUrl }: Pick<MigrateConfig, 'databaseUrl' | 'directUrl'>): string {
  if (directUrl === undefined) return databaseUrl
  const { role, password } = parseDatabaseUrl(databaseUrl)
  const direct = parseDatabaseUrl(directUrl)
  if (direct.role !== undefined && direct.role !== role) {
    throw new Error('MIGRATIONS_DATABASE_URL must have the role of DATABASE_URL, which owns the schema, or none.')
  }
  return formatDatabaseUrl({ ...direct, role, password: direct.password ?? password })
}

/** An administrator may serve services on several servers, so only the credentials come from its URL. */
function asAdministrator(url: string, adminUrl: string): string {
  const { role, password, params } = parseDatabaseUrl(adminUrl)
  const service = parseDatabaseUrl(url)
  return formatDatabaseUrl({ ...service, role, password, params: { ...service.params, ...params } })
}

function roleOf(url: string): { role: string; password: string } {
  const { role, password } = parseDatabaseUrl(url)
  if (!role || !password) throw new Error('DATABASE_URL must contain the role and password to create.')
  return { role, password }
}

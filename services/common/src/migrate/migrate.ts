import { formatDatabaseUrl, parseDatabaseUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { provisionSchema } from '../postgres/index.ts'
import type { MigratingService } from '../service/index.ts'
import type { MigrateConfig } from './config.ts'
import { waitForDatabase } from './wait-for-database.ts'

/**
 * Migrates the database of a service: creates its role and schema if `adminUrl` is given, then runs its migrations. Waits
 * for a database that is starting. Safe to repeat and to run concurrently.
 *
 * @throws Error if `adminUrl` is given and `databaseUrl` has no role or no password
 */
export async function migrate(
  service: MigratingService,
  config: Omit<MigrateConfig, 'log'>,
  log: Logger,
): Promise<void> {
  const { databaseUrl, cell } = config
  if (config.adminUrl === undefined) await waitForDatabase(databaseUrl, log)
  else {
    const role = roleOf(databaseUrl)
    const adminUrl = inDatabaseOf(databaseUrl, config.adminUrl)
    await waitForDatabase(adminUrl, log)
    await provisionSchema({ adminUrl, schema: service.name, ...role })
    log.info({ schema: service.name }, 'role and schema exist')
  }
  await service.migrate({ url: databaseUrl, cell }, log)
  log.info({ schema: service.name, cell }, 'schema is up to date')
}

/** Replaces the database in the administrator's URL, which usually names another one, with the service's. */
function inDatabaseOf(databaseUrl: string, adminUrl: string): string {
  const { database } = parseDatabaseUrl(databaseUrl)
  return formatDatabaseUrl({ ...parseDatabaseUrl(adminUrl), database })
}

function roleOf(databaseUrl: string): { role: string; password: string } {
  const { role, password } = parseDatabaseUrl(databaseUrl)
  if (!role || !password) throw new Error('DATABASE_URL must contain the role and password to create.')
  return { role, password }
}

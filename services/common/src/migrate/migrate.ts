import type { Logger } from '../log/index.ts'
import { provisionSchema } from '../postgres/index.ts'
import type { MigratingService } from '../service/index.ts'
import type { MigrateConfig } from './config.ts'
import { waitForDatabase } from './wait-for-database.ts'

/**
 * Brings a service's home in the database up to date: its role and schema when an administrator's address is given,
 * then its migrations. Waits for a database that is starting. Safe to repeat, and safe to run in several processes at once: they wait for each other.
 *
 * @throws Error when the service's address has no role or no password that an administrator could give it
 */
export async function migrate(
  service: MigratingService,
  config: Omit<MigrateConfig, 'log'>,
  log: Logger,
): Promise<void> {
  const { databaseUrl } = config
  if (config.adminUrl === undefined) await waitForDatabase(databaseUrl, log)
  else {
    const role = roleOf(databaseUrl)
    const adminUrl = inDatabaseOf(databaseUrl, config.adminUrl)
    await waitForDatabase(adminUrl, log)
    await provisionSchema({ adminUrl, schema: service.name, ...role })
    log.info({ schema: service.name }, 'role and schema are there')
  }
  await service.migrate(databaseUrl, log)
  log.info({ schema: service.name }, 'schema is up to date')
}

/** The administrator's address usually names another database than the one that the services share. */
function inDatabaseOf(databaseUrl: string, adminUrl: string): string {
  const url = new URL(adminUrl)
  url.pathname = new URL(databaseUrl).pathname
  return url.href
}

function roleOf(databaseUrl: string): { role: string; password: string } {
  const { username, password } = new URL(databaseUrl)
  if (username === '' || password === '') throw new Error('DATABASE_URL must hold the role and the password to make.')
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) }
}

import { createEnvReader, type Environment, logLevels, readCell } from '../config/index.ts'

/** Reads the settings of a migration process. @throws ConfigError naming every missing or invalid setting */
export function readMigrateConfig(source: Environment = process.env): MigrateConfig {
  const env = createEnvReader(source)
  const config = {
    cell: readCell(env),
    databaseUrl: env.databaseUrl('DATABASE_URL'),
    directUrl: env.optional('MIGRATIONS_DATABASE_URL') ? env.databaseUrl('MIGRATIONS_DATABASE_URL') : undefined,
    adminUrl: env.optional('DATABASE_ADMIN_URL') ? env.databaseUrl('DATABASE_ADMIN_URL') : undefined,
    log: { level: env.oneOf('LOG_LEVEL', logLevels, 'info') },
  }
  env.finish()
  return config
}

export interface MigrateConfig {
  /** The cell that the schema belongs to. */
  cell: number
  /** Contains the service's role, as in the settings of the service. */
  databaseUrl: string
  /**
   * Where to run the migrations if not at `databaseUrl`, such as past a pooler. Uses the role and password of `databaseUrl`
   * unless it contains others.
   */
  directUrl: string | undefined
  /**
   * Contains a role that may create roles and schemas. Without it, the service's role and schema must exist. Only its role and
   * password are used, on the server and in the database of the service.
   */
  adminUrl: string | undefined
  log: { level: (typeof logLevels)[number] }
}

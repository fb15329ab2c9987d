import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'

/**
 * The time limits of a service's statements, in milliseconds, which Postgres enforces. They are settings of the role,
 * because a pooler in transaction mode has no session to set them in, and PgBouncer rejects them at the start of one.
 */
export const timeLimits = {
  statement_timeout: 3000,
  lock_timeout: 2000,
  /** Also releases the locks of a machine that vanished. */
  idle_in_transaction_session_timeout: 5000,
  /** How soon the statement of a closed connection ends, such as of a caller that has left or of a killed process. */
  client_connection_check_interval: 250,
} as const

/** The statement that limits how long later statements of its transaction wait for a lock, in milliseconds. */
export function limitLockWait(ms: number): Sql {
  return sql`select set_config('lock_timeout', ${String(ms)}, true)`
}

/**
 * Sets the time limits that the role does not have yet in this database; an administrator's limits are kept. Applies to sessions
 * that start later. A role may call it for itself.
 *
 * @param client in a transaction
 * @returns the names of the limits that were set
 */
export async function setTimeLimits(client: pg.ClientBase, role: string): Promise<readonly string[]> {
  await lockRoleSettings(client)
  const { rows } = await client.query<{ database: string; known: string[] }>(
    `select current_database() as database, array(
       select split_part(unnest(setconfig), '=', 1) from pg_db_role_setting
       where setrole = (select oid from pg_roles where rolname = $1)
         and setdatabase in (0, (select oid from pg_database where datname = current_database()))
     ) as known`,
    [role],
  )
  const { database = '', known = [] } = rows[0] ?? {}
  const missing = Object.entries(timeLimits).filter(([name]) => !known.includes(name))
  // With rotated roles, the session acts as the owner of the schema, who may not change the role that logged in.
  if (missing.length > 0) await client.query('set local role none')
  for (const [name, ms] of missing) {
    await client.query(
      `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)} set ${name} = ${ms}`,
    )
  }
  return missing.map(([name]) => name)
}

/** Until the transaction ends. Concurrent changes of a role fail with "tuple concurrently updated". */
export async function lockRoleSettings(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('storekeep.provision', 0))`)
}

/**
 * Watches that connections have time limits. Logs each missing limit, and exports the gauge
 * `postgres_time_limit_missing`.
 */
export function watchTimeLimits(log: Logger, metrics: Metrics | undefined): TimeLimitWatch {
  const missing = new Map<string, boolean>(Object.keys(timeLimits).map((name) => [name, false]))
  metrics?.gauge(
    'postgres_time_limit_missing',
    '1 if the last opened Postgres connection had no such time limit, otherwise 0.',
    () => [...missing].map(([limit, isMissing]) => ({ labels: { limit }, value: isMissing ? 1 : 0 })),
    ['limit'],
  )
  return {
    async check(client) {
      const { rows } = await client.query<{ name: string; setting: string }>(checkStatement)
      for (const { name, setting } of rows) {
        const isMissing = setting === '0'
        if (isMissing && !missing.get(name)) {
          log.error({ limit: name }, 'postgres role has no time limit: run the migrations, then reconnect the pooler')
        }
        missing.set(name, isMissing)
      }
    },
  }
}

const checkStatement = `select name, setting from pg_settings where name in ('${Object.keys(timeLimits).join("','")}')`

export interface TimeLimitWatch {
  /** Costs one statement. Call it for new connections. Rejects if the connection breaks. */
  check(client: pg.ClientBase): Promise<void>
}

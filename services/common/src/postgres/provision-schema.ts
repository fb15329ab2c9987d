import pg from 'pg'
import { withClient } from './servers.ts'
import { lockRoleSettings, setTimeLimits } from './time-limits.ts'

export interface ProvisionOptions {
  /** Connects to the service's database as a role that may create roles and schemas. May list several hosts. */
  adminUrl: string
  /** The schema of the service. */
  schema: string
  /** The role of the service, which owns the schema and has no other privileges. */
  role: string
  password: string
}

/**
 * Creates the role and schema of a service, and sets the role's search_path to the schema and `public` (for extensions), and
 * its time limits. No other role may use the schema, so services cannot read each other's tables. Safe to repeat; resets the
 * password.
 *
 * Used by `npm start`, the migrations job and tests.
 */
export async function provisionSchema(options: ProvisionOptions): Promise<void> {
  const { schema, role } = options
  await withClient({ url: options.adminUrl, connectMs: 5000, statementMs: 60_000 }, async (client) => {
    await client.query('begin')
    await lockRoleSettings(client)
    const known = await client.query('select from pg_roles where rolname = $1', [role])
    const name = pg.escapeIdentifier(role)
    if (known.rowCount === 0) await client.query(`create role ${name}`)
    await client.query(
      `alter role ${name} login nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(options.password)}`,
    )
    // Only a superuser may create schemas for roles that it is not a member of.
    await client.query(`grant ${name} to current_user`)
    await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)} authorization ${name}`)
    await client.query(`revoke all on schema ${pg.escapeIdentifier(schema)} from public`)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name ?? '')
    await client.query(`grant connect on database ${database} to ${name}`)
    await client.query(
      `alter role ${name} in database ${database} set search_path = ${pg.escapeIdentifier(schema)}, public`,
    )
    await setTimeLimits(client, role)
    await client.query('create extension if not exists pg_trgm')
    await client.query('commit')
  })
}

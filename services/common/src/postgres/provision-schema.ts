import pg from 'pg'

export interface ProvisionOptions {
  /** Connects to the database in question as a role that may create roles and schemas. */
  adminUrl: string
  /** Schema of one service. */
  schema: string
  /** The service's own role; owns the schema, may log in, and may nothing else. */
  role: string
  password: string
}

/**
 * Makes a service's home in the database: its role, its schema, and the search_path that joins them (the schema,
 * then `public` for the functions and operators of extensions). Nobody else may use the schema, so no service can
 * read another's tables. Safe to repeat; the password is set to the one given.
 *
 * Used by the local start, by the migrations job and by the tests.
 */
export async function provisionSchema(options: ProvisionOptions): Promise<void> {
  const { schema, role } = options
  const client = new pg.Client({ connectionString: options.adminUrl, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    // Two provisions at once would meet in the catalogue ("tuple concurrently updated").
    await client.query(`select pg_advisory_xact_lock(hashtextextended('storekeep.provision', 0))`)
    const known = await client.query('select from pg_roles where rolname = $1', [role])
    const name = pg.escapeIdentifier(role)
    if (known.rowCount === 0) await client.query(`create role ${name}`)
    await client.query(
      `alter role ${name} login nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(options.password)}`,
    )
    // An administrator who is no superuser may only give a schema to a role that it is a member of.
    await client.query(`grant ${name} to current_user`)
    await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)} authorization ${name}`)
    await client.query(`revoke all on schema ${pg.escapeIdentifier(schema)} from public`)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name ?? '')
    await client.query(`grant connect on database ${database} to ${name}`)
    await client.query(
      `alter role ${name} in database ${database} set search_path = ${pg.escapeIdentifier(schema)}, public`,
    )
    await client.query('create extension if not exists pg_trgm')
    await client.query('commit')
  } finally {
    await client.end()
  }
}

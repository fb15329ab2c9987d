import { services } from '@storekeep/local/services'
import { onServer } from '@storekeep/test/kit'
import { expect, inject, it } from 'vitest'

interface Client {
  query(text: string, values?: unknown[]): Promise<{ rows: { name: string; schema: string; path: string | null }[] }>
}

/** The functions of all services, with the search path that they set. */
async function functionsOf(client: Client) {
  const { rows } = await client.query(
    `select pronamespace::regnamespace::text || '.' || proname as name, nspname as schema,
       (select one from unnest(proconfig) one where one like 'search_path=%') as path
     from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = any($1)`,
    [services.map(({ name }) => name)],
  )
  return rows
}

const withoutPath = (rows: Awaited<ReturnType<typeof functionsOf>>) =>
  rows.filter(({ schema, path }) => path !== `search_path=${quoted(schema)}, public`).map(({ name }) => name)

/** Postgres quotes the names that are no plain identifiers. */
const quoted = (schema: string) => (/^[a-z_]+$/.test(schema) ? schema : `"${schema}"`)

it('every database function finds its tables regardless of the search_path of its caller', async () => {
  await onServer(inject('system').adminUrl, async (client) => {
    const found = await functionsOf(client)
    expect(new Set(found.map(({ schema }) => schema)).size).toBe(services.length)
    expect(found.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^search\.index_insert_/))
    expect(withoutPath(found)).toEqual([])
    // Negative control.
    await client.query('begin; create function bans.careless() returns int language sql as $$ select 1 $$')
    expect(withoutPath(await functionsOf(client))).toEqual(['bans.careless'])
    await client.query('rollback')
  })
})

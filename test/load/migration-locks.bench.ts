import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { services } from '@storekeep/local/services'
import { createExamples, onServer, operationsOf } from '@storekeep/test/kit'
import { type Cluster, startCluster } from '@storekeep/test/kit/cluster'
import { extractVersion, migrateAll } from './other-version.ts'
import { print } from './print.ts'

/**
 * Runs the migrations since PREVIOUS, a git ref, on tables with many rows, and measures for how long they hold locks that
 * block writes or reads of a table. Fails if one is held longer than two seconds. Does not measure locks of rows.
 */
const previousRef = process.env.PREVIOUS
const rowCount = Number(process.env.ROWS ?? 1_000_000)
const limitMs = 2_000
const schemas = services.map(({ name }) => name)

if (!previousRef) throw new Error('Set PREVIOUS to the tag or commit of the previous release.')
const folder = mkdtempSync(join(tmpdir(), 'storekeep-locks-'))
try {
  const root = join(folder, 'previous')
  await extractVersion(previousRef, root)
  const cluster = await startCluster({ replicas: 1, versionOf: () => ({ root }) })
  try {
    await createOneOfEach(cluster)
    for (const set of cluster.all) for (const replica of [...set.replicas]) await set.end(replica)
    await multiplyRows(cluster)
    const watch = startLockWatch(cluster)
    const started = performance.now()
    await migrateAll(cluster, undefined)
    const locks = await watch.stop()
    print(`migrations took ${(performance.now() - started).toFixed(0)} ms; locks that block others, longest first:`)
    for (const { what, ms } of locks) print(`  ${what}: ${ms.toFixed(0)} ms`)
    const longest = locks[0]?.ms ?? 0
    print(`longest: ${longest.toFixed(0)} ms of ${limitMs} ms`)
    if (longest > limitMs) process.exitCode = 1
  } finally {
    await cluster.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function createOneOfEach({ contract, createStore, shopper }: Cluster): Promise<void> {
  const operations = operationsOf(contract.description)
  const { newChild } = createExamples(operations, shopper)
  const store = await createStore({ game: 'minecraft' })
  const parameters = new Set(operations.filter(({ auth }) => auth === 'key').flatMap(({ children }) => children))
  for (const parameter of parameters) await newChild(store, parameter)
}

/** Repeats a row of every table in as many other stores. */
async function multiplyRows({ address }: Cluster): Promise<void> {
  await onServer(address.adminUrl, async (client) => {
    // Disables foreign keys and triggers.
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query<{ name: string; columns: string[]; values: string[] }>(
      `select format('%I.%I', table_schema, table_name) as name, array_agg(quote_ident(column_name)) as columns,
         array_agg(case when column_name not in ('id', 'store_id') then 'one.' || quote_ident(column_name)
           when data_type = 'uuid' then 'md5(n::text)::uuid' else 'n' end) as values
       from information_schema.columns
       where table_schema = any($1) and table_name not in ('outbox', 'document_count') and is_generated = 'NEVER'
       group by table_schema, table_name having 'store_id' = any(array_agg(column_name::text)) order by 1`,
      [schemas.filter((name) => name !== 'search')],
    )
    for (const { name, columns, values } of rows) {
      const { rowCount: inserted } = await client.query(
        `insert into ${name} (${columns.join()}) select ${values.join()}
         from (select * from ${name} limit 1) one, generate_series(1, ${rowCount}) n on conflict do nothing`,
      )
      print(`${name}: ${inserted} rows`)
    }
  })
}

/** Polls the locks of the services' tables that conflict with writes. */
function startLockWatch({ address }: Cluster) {
  const held = new Map<string, { what: string; from: number; to: number }>()
  let isOver = false
  const done = onServer(address.adminUrl, async (client) => {
    while (!isOver) {
      const { rows } = await client.query<{ pid: number; name: string; mode: string; transaction: string }>(
        `select pid, mode, virtualtransaction as transaction, format('%I.%I', nspname, relname) as name
         from pg_locks join pg_class on pg_class.oid = relation join pg_namespace on pg_namespace.oid = relnamespace
         where granted and database = (select oid from pg_database where datname = current_database())
           and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
           and relkind in ('r', 'p') and nspname = any($1)`,
        [schemas],
      )
      const now = performance.now()
      for (const { pid, name, mode, transaction } of rows) {
        const key = `${pid} ${transaction} ${name} ${mode}`
        const known = held.get(key)
        if (known) known.to = now
        else held.set(key, { what: `${mode} on ${name}`, from: now, to: now })
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })
  return {
    stop: async () => {
      isOver = true
      await done
      const locks = [...held.values()].map(({ what, from, to }) => ({ what, ms: to - from }))
      return locks.toSorted((a, b) => b.ms - a.ms)
    },
  }
}

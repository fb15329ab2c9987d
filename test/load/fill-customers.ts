import { onServer } from '@storekeep/test/kit'

/**
 * Inserts customers into the database of their service, because millions of requests would take too long. Builds the
 * indexes of the search in names afterwards: entry by entry, they would take most of the time.
 */
export async function fillCustomers(databaseUrl: string, storeId: string, count: number): Promise<void> {
  await onServer(databaseUrl, async (client) => {
    // The limits of the service's role are meant for its requests.
    await client.query('set statement_timeout = 0')
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where schemaname = current_schema and tablename = 'customer' and indexdef like '% USING gin %'`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (let from = 1; from <= count; from += batchSize) {
      await client.query(
        `insert into customer (store_id, steam_id, name, folded_name, search_text, created_at)
         select $1, 76561198100000000 + n, 'Customer ' || n, 'customer ' || n, 'customer ' || n, now()
         from generate_series($2::int, $3::int) n`,
        [storeId, from, Math.min(count, from + batchSize - 1)],
      )
    }
    await client.query("set maintenance_work_mem = '1GB'")
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze customer')
  })
}

const batchSize = 500_000

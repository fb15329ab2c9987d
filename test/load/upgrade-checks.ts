import { services } from '@storekeep/local/services'
import { onServer, waitFor } from '@storekeep/test/kit'
import type { Cluster, Outcome } from '@storekeep/test/kit/cluster'
import { compareIndex } from '../faults/search-operations.ts'
import type { CycleResult } from './version-requests.ts'

/**
 * Waits until all events are applied.
 * @param records the record types that the running version of search knows
 * @returns what is wrong afterwards: differences between the index and its owners, acknowledged writes that are not in the
 * index exactly once, and dead letters
 */
export async function problemsAfterEvents(
  cluster: Cluster,
  outcomes: readonly Outcome[],
  records: readonly string[],
): Promise<string[]> {
  const problems: string[] = []
  const attempt = async (what: string, isDone: () => Promise<boolean>) => {
    await waitFor(what, isDone, { timeoutMs: 120_000, everyMs: 500 }).catch((error: Error) => {
      problems.push(`${error.message}${error.cause ? ` (${error.cause})` : ''}`)
    })
  }
  await attempt(
    'every event to be published',
    async () => (await count(cluster, 'outbox', 'published_at is null')) === 0,
  )
  await attempt('the index to equal its owners', async () => {
    const address = cluster.services.search.replicas[0]?.address ?? ''
    return (await compareIndex(address, records)).drifted === 0
  })
  const indexed = await countIndexed(cluster)
  const expected = outcomes.filter(
    ({ kind, attempts, failures }) => kind.isMarked && indexedKinds.test(kind.name) && attempts > failures.length,
  )
  const wrong = expected.filter(({ marker }) => indexed.get(marker) !== 1)
  for (const { marker, kind, phase } of wrong.slice(0, 10))
    problems.push(`${phase}: ${kind.name} ${marker} is in the index ${indexed.get(marker) ?? 0} times`)
  if (wrong.length > 10) problems.push(`… and ${wrong.length - 10} more acknowledged writes`)
  if (expected.length === 0) problems.push('no acknowledged write was compared with the index')
  const letters = await count(cluster, 'dead_letter')
  if (letters > 0) problems.push(`${letters} dead letters`)
  return problems
}

/**
 * Waits until the running version of search has applied the events of these records. A check at the end would not notice events
 * that only the other version understands, because a consumer retries them until they become dead letters.
 * @param records the record types that the running version of search knows
 */
export async function problemInEvents(
  cluster: Cluster,
  changes: Pick<CycleResult, 'created' | 'deleted'>,
  records: readonly string[],
): Promise<string | undefined> {
  const [created = [], deleted = []] = [changes.created, changes.deleted].map((all) =>
    all.filter(({ type }) => records.includes(type)).map(({ id }) => id),
  )
  const isApplied = () =>
    onServer(cluster.databaseUrlOf('search'), async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `select id from document_${await liveGeneration(client)} where id = any($1) and not deleted`,
        [[...created, ...deleted]],
      )
      return created.every((id) => rows.some((row) => row.id === id)) && rows.length === created.length
    })
  const waited = waitFor('search to apply the events of this step', isApplied, { timeoutMs: 30_000, everyMs: 200 })
  return await waited.then(() => undefined, String)
}

async function liveGeneration(client: Parameters<Parameters<typeof onServer>[1]>[0]): Promise<string> {
  const { rows } = await client.query<{ id: string }>("select id from generation where state = 'live'")
  if (!rows[0]) throw new Error('There is no live index.')
  return rows[0].id
}

/** Their marker is in the text that search indexes. */
const indexedKinds = /^create (customer|product|ban)/

/** How often each marker is in the live index. */
async function countIndexed({ databaseUrlOf }: Cluster): Promise<Map<string, number>> {
  return await onServer(databaseUrlOf('search'), async (client) => {
    const { rows } = await client.query<{ marker: string; count: number }>(
      `select substring(words from 'm[0-9]+x[0-9]+') as marker, count(*)::int as count
       from document_${await liveGeneration(client)} where not deleted group by 1`,
    )
    return new Map(rows.map(({ marker, count: times }) => [marker, times]))
  })
}

/** The rows of a table that every service has. */
async function count({ address }: Cluster, table: 'outbox' | 'dead_letter', condition = 'true'): Promise<number> {
  return await onServer(address.adminUrl, async (client) => {
    const counts = services.map(({ name }) => `select count(*) from "${name}".${table} where ${condition}`)
    const { rows } = await client.query<{ sum: number }>(
      `select sum(count)::int as sum from (${counts.join(' union all ')}) counts`,
    )
    return rows[0]?.sum ?? 0
  })
}

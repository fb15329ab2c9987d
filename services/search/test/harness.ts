import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import type { CallOptions } from '@storekeep/common/grpc'
import { type Env, randomId, type TestService, until, useService, withApiKey } from '@storekeep/common/testing'
import { file_storekeep_bans_v1_events as events } from '@storekeep/proto/bans/v1/events'
import { type SearchRequestSchema, type SearchResponse, SearchService } from '@storekeep/proto/search/v1/search_service'
import sql from 'sql-template-tag'
import { readConfig, type SearchConfig } from '../src/config.ts'
import { findSearchedGeneration } from '../src/rebuilds/db/generation-repository.ts'
import { search as service } from '../src/service.ts'
import { type FakeOwners, useFakeOwners } from './fake-owners.ts'

/** See `useService`. `owners` fakes the services that own the records. */
export function useSearch({
  change = async (env) => env,
  checkIntervalMs = 3_600_000,
}: {
  change?: (env: Env) => Promise<Env>
  checkIntervalMs?: number
} = {}): TestSearch {
  const owners = useFakeOwners()
  const search = useService({
    service,
    definition: SearchService,
    events,
    readConfig: (env) => ({ ...readConfig(env), index: { checkIntervalMs } }),
    settings: {},
    change: (env) => change({ ...env, ...owners.addressSettings() }),
  })
  return Object.assign(search, { owners })
}

export type TestSearch = TestService<SearchConfig, typeof SearchService> & { owners: FakeOwners }

/** Call options with an API key of the store; by default of a new store. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

/** Publishes an event as its owner would, through the outbox and relay of the service under test. */
export async function publish<S extends DescMessage>(
  { database }: Pick<TestSearch, 'database'>,
  aggregate: string,
  schema: S,
  message: MessageInitShape<S>,
): Promise<void> {
  const [record] = Object.values(message).filter((one) => one && typeof one === 'object' && 'storeId' in one)
  const { id, storeId, version } = record as { id: string; storeId: string; version: bigint }
  const service = schema.typeName.split('.')[1]?.replaceAll('_', '-') ?? ''
  const of = { service, aggregateId: id, aggregateVersion: version.toString(), storeId, traceparent: undefined }
  await database.transaction((tx) => publishEvent(tx, { aggregate, verb: 'changed', schema, message, ...of }))
}

/** Resolves when every event published so far, or a newer one of its record, has been applied. */
export async function settled({ database }: Pick<TestSearch, 'database'>): Promise<void> {
  await until(async () => {
    const waiting = await database.query(sql`
      select from outbox
      where published_at is null or not exists (
        select from consumed_version consumed
        where consumed.aggregate = outbox.aggregate and consumed.aggregate_id = outbox.aggregate_id
          and consumed.version >= outbox.aggregate_version
      )`)
    return waiting.length === 0 || undefined
  })
}

/** Resolves with the live generation once there is one. */
export async function live({ database }: Pick<TestSearch, 'database'>): Promise<string> {
  return await until(async () => {
    const [row] = await database.query<{ id: string }>(sql`select id from generation where state = 'live'`)
    return row?.id
  })
}

/** What a search of the store reads. */
export async function searched({ database }: Pick<TestSearch, 'database'>, storeId: string) {
  const found = await findSearchedGeneration(database, storeId)
  if (!found) throw new Error('There is no index yet.')
  return { scope: { generation: found.id, storeId, type: undefined }, totals: found.totals }
}

export type Request = MessageInitShape<typeof SearchRequestSchema>

/** Ids of the results, in order. */
export function idsOf({ results }: SearchResponse): string[] {
  return results.map(({ id }) => id)
}

/** Non-zero facets by type. */
export function countsOf({ facets }: SearchResponse): Record<number, number> {
  return Object.fromEntries(facets.filter(({ count }) => count > 0n).map(({ type, count }) => [type, Number(count)]))
}

import { type Client, createClient } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport } from '@storekeep/common/testing/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { searchedRecords } from '@storekeep/proto/conventions/searched-records'
import { SearchService } from '@storekeep/proto/search/v1/search_service'

type SearchClient = Client<typeof SearchService>

/** Makes calls to the search service as an operator. @param address host:port */
export async function operateSearch<T>(
  address: string,
  call: (search: SearchClient, options: Parameters<SearchClient['startRebuild']>[1]) => Promise<T>,
): Promise<T> {
  const transport = createTestTransport('search', address)
  const options = {
    actor: { type: ActorType.ADMIN },
    requestId: 'test',
    traceparent: formatTraceparent(childContext()),
    deadlineMs: 30_000,
  }
  try {
    return await call(createClient(SearchService, transport), options)
  } finally {
    transport.close()
  }
}

/** Compares the index with the records of all owners. @param aggregates the record types that this search service knows */
export async function compareIndex(
  address: string,
  aggregates: readonly string[] = searchedRecords,
): Promise<{ checked: number; drifted: number }> {
  const total = { checked: 0, drifted: 0 }
  for (const aggregate of aggregates) {
    const { checked, drifted } = await operateSearch(address, (search, options) =>
      search.verifyRecords({ aggregate }, options),
    )
    total.checked += Number(checked)
    total.drifted += Number(drifted)
  }
  return total
}

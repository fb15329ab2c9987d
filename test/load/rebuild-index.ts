import { createClient } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport } from '@storekeep/common/testing/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { RebuildState, SearchService } from '@storekeep/proto/search/v1/search_service'
import { waitFor } from '@storekeep/test/kit'

/** Rebuilds the index and waits for the end. @returns the time until all records were read, and until the end */
export async function rebuildIndex(
  address: string,
): Promise<{ readMs: number; endMs: number; drifted: number; state: string }> {
  const transport = createTestTransport('search', address)
  const client = createClient(SearchService, transport)
  const call = { actor: { type: ActorType.ADMIN }, requestId: 'load', traceparent: formatTraceparent(childContext()) }
  const started = performance.now()
  const { rebuild } = await client.startRebuild({}, call)
  const look = async () => (await client.getRebuild({ rebuildId: rebuild?.id ?? '' }, call)).rebuild
  const long = { timeoutMs: 1_200_000, everyMs: 50 }
  await waitFor('the records to be read', async () => (await look())?.filledAt, long)
  const readMs = performance.now() - started
  const ended = await waitFor(
    'the rebuild to end',
    async () => {
      const now = await look()
      return now?.state !== RebuildState.RUNNING && now
    },
    long,
  )
  const endMs = performance.now() - started
  transport.close()
  const drifted = ended.parts.reduce((sum, part) => sum + Number(part.drifted), 0)
  return { readMs, endMs, drifted, state: ended.state === RebuildState.LIVE ? 'live' : 'failed' }
}

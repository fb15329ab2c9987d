import type { MessageInitShape } from '@bufbuild/protobuf'
import { present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import { type RebuildSchema, RebuildState } from '@storekeep/proto/search/v1/search_service'
import type { GenerationPartRow, GenerationRow, GenerationState } from './db/schema.ts'

export function rebuildToProto(
  row: GenerationRow | undefined,
  parts: readonly GenerationPartRow[],
): MessageInitShape<typeof RebuildSchema> {
  if (!row) throw new Error('The rebuild no longer exists.')
  return present({
    id: row.id,
    state: stateToProto[row.state],
    startedAt: timestampFromDate(row.startedAt),
    filledAt: timestampOrAbsent(row.filledAt),
    finishedAt: timestampOrAbsent(row.finishedAt),
    parts: parts.map(({ aggregate, filled, checked, drifted }) => ({
      aggregate,
      filled: BigInt(filled),
      checked: BigInt(checked),
      drifted: BigInt(drifted),
    })),
    problem: row.problem,
  })
}

const stateToProto: Record<GenerationState, RebuildState> = {
  running: RebuildState.RUNNING,
  live: RebuildState.LIVE,
  replaced: RebuildState.REPLACED,
  failed: RebuildState.FAILED,
}

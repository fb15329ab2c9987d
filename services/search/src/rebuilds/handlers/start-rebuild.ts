import { write } from '@storekeep/common/write'
import type { AppContext, SearchHandlers } from '../../context.ts'
import { indexVersion } from '../../documents/domain/document-index.ts'
import { recordTypes } from '../../documents/mappers/record-types/index.ts'
import { findGeneration, selectParts, startGeneration } from '../db/generation-repository.ts'
import { rebuildToProto } from '../mappers.ts'

export function startRebuild(ctx: AppContext): SearchHandlers['startRebuild'] {
  return async (request, call) => {
    return await write(ctx, call, request, async (tx) => {
      const aggregates = recordTypes.map(({ type }) => type)
      const id = await startGeneration(tx, ctx.worker, indexVersion, aggregates)
      return { rebuild: rebuildToProto(await findGeneration(tx, id), await selectParts(tx, id)) }
    })
  }
}

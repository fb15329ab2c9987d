import { requireOperator } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, SearchHandlers } from '../context.ts'
import { beginGeneration, findGeneration, selectParts } from '../db/generation-repository.ts'
import { indexVersion } from '../domain/document-index.ts'
import { kinds } from '../kinds/index.ts'
import { rebuildToProto } from '../mappers.ts'

export function startRebuild(ctx: AppContext): SearchHandlers['startRebuild'] {
  return async (request, call) => {
    requireOperator(call)
    return await write(ctx, call, request, async (tx) => {
      const id = await beginGeneration(
        tx,
        indexVersion,
        kinds.map(({ type }) => type),
      )
      return { rebuild: rebuildToProto(await findGeneration(tx, id), await selectParts(tx, id)) }
    })
  }
}

import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, TagHandlers } from '../../context.ts'
import { selectTags } from '../db/tag-repository.ts'
import { tagToProto } from '../mappers.ts'

export function listTags(ctx: AppContext): TagHandlers['listTags'] {
  return async (_request, call) => {
    const rows = await selectTags(ctx.database, requireStore(call))
    return { tags: rows.map(tagToProto) }
  }
}

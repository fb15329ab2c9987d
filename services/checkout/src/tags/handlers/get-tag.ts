import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, TagHandlers } from '../../context.ts'
import { findTag } from '../db/tag-repository.ts'
import { tagToProto } from '../mappers.ts'

export function getTag(ctx: AppContext): TagHandlers['getTag'] {
  return async ({ tagId }, call) => {
    const row = await findTag(ctx.database, requireStore(call), requireFlakeId('tag_id', tagId))
    if (!row) throw errors.notFound('tag')
    return { tag: tagToProto(row) }
  }
}

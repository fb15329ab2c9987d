import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { AppContext, TagHandlers } from '../../context.ts'
import { deleteLockedTag, lockTag } from '../db/tag-repository.ts'
import { publishTagDeleted } from '../events/publish.ts'

export function deleteTag(ctx: AppContext): TagHandlers['deleteTag'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('tag_id', request.tagId)
    return write(ctx, call, request, async (tx) => {
      const row = await lockTag(tx, storeId, id)
      if (!row) throw errors.notFound('tag')
      await deleteLockedTag(tx, row)
      await publishTagDeleted(tx, row, call)
      return {}
    })
  }
}

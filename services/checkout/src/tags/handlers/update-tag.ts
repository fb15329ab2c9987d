import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, TagHandlers } from '../../context.ts'
import { lockTag, takenTagSlug, updateTagFields } from '../db/tag-repository.ts'
import { changeTag } from '../domain/tag.ts'
import { publishTagUpdated } from '../events/publish.ts'
import { tagFromProto, tagToProto } from '../mappers.ts'

export function updateTag(ctx: AppContext): TagHandlers['updateTag'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('tag_id', request.tagId)
    const input = tagFromProto(request.tag)
    const updated = write(ctx, call, request, async (tx) => {
      const row = await lockTag(tx, storeId, id)
      if (!row) throw errors.notFound('tag')
      const changed = changeTag(row, input, request.updateMask?.paths ?? [])
      if (!changed) return { tag: tagToProto(row) }
      const by = { updatedBy: actorText(call.actor), updatedAt: ctx.clock.now() }
      const written = await updateTagFields(tx, row, changed, by)
      await publishTagUpdated(tx, written, call)
      return { tag: tagToProto(written) }
    })
    return conflictOn(takenTagSlug, updated)
  }
}

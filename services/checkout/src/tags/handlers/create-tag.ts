import { errors } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import { tagLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, TagHandlers } from '../../context.ts'
import { countTagsForCreate, insertTag, takenTagSlug } from '../db/tag-repository.ts'
import { checkTag } from '../domain/tag.ts'
import { publishTagCreated } from '../events/publish.ts'
import { tagFromProto, tagToProto } from '../mappers.ts'

export function createTag(ctx: AppContext): TagHandlers['createTag'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const tag = checkTag(tagFromProto(request.tag))
    const created = write(ctx, call, request, async (tx) => {
      if ((await countTagsForCreate(tx, storeId)) >= tagLimits.perStore) throw errors.conflict(tooMany)
      const [id, createdBy, createdAt] = [await ctx.ids.next(), actorText(call.actor), ctx.clock.now()]
      const row = insertTag(tx, { ...tag, id, storeId, createdBy, createdAt })
      await publishTagCreated(tx, row, call)
      return { tag: tagToProto(row) }
    })
    return conflictOn(takenTagSlug, created)
  }
}

const tooMany = `The store has reached the limit of ${tagLimits.perStore} tags.`

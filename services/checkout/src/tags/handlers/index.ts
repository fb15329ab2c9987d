import type { AppContext, TagHandlers } from '../../context.ts'
import { createTag } from './create-tag.ts'
import { deleteTag } from './delete-tag.ts'
import { getTag } from './get-tag.ts'
import { listTags } from './list-tags.ts'
import { updateTag } from './update-tag.ts'

export function createTagHandlers(ctx: AppContext): TagHandlers {
  return {
    createTag: createTag(ctx),
    getTag: getTag(ctx),
    listTags: listTags(ctx),
    updateTag: updateTag(ctx),
    deleteTag: deleteTag(ctx),
  }
}

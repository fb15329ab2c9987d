import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import type { TagSchema } from '@storekeep/proto/checkout/v1/tag'
import type { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { newId } from './ids.ts'

/** The tags of the checkout service without its rules. */
export function tagsHandlers(): Handlers<typeof TagsService> {
  const one = async (id: string, call: Call) => ({ tag: tagMessage(id, call) })
  return {
    createTag: (_request, call) => one(newId(), call),
    getTag: ({ tagId }, call) => one(tagId, call),
    listTags: async (_request, call) => ({ tags: [tagMessage(newId(), call)] }),
    updateTag: ({ tagId }, call) => one(tagId, call),
    deleteTag: async () => ({}),
  }
}

function tagMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof TagSchema> {
  return {
    id,
    storeId,
    name: 'Ranks',
    enabled: true,
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}

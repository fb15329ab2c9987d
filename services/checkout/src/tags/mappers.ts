import type { MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { TagInput, TagSchema } from '@storekeep/proto/checkout/v1/tag'
import type { TagRow } from './db/tag-repository.ts'
import type { TagState } from './domain/tag.ts'

/** An absent input has no fields set. */
export function tagFromProto(input: TagInput | undefined): TagState {
  return {
    name: input?.name ?? '',
    slug: input?.slug ?? null,
    imageUrl: input?.imageUrl ?? null,
    sortOrder: input?.sortOrder ?? 0,
    enabled: input?.enabled ?? true,
  }
}

export function tagToProto(row: TagRow): MessageInitShape<typeof TagSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    name: row.name,
    slug: row.slug,
    imageUrl: row.imageUrl,
    sortOrder: row.sortOrder,
    enabled: row.enabled,
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

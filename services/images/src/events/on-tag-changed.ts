import { type EventHandler, onEvent } from '@storekeep/common/events'
import { TagCreatedSchema, TagDeletedSchema, TagUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../context.ts'
import { nameImages } from '../steps/name-images.ts'

export function onTagChanged(ctx: AppContext): EventHandler {
  return onEvent([TagCreatedSchema, TagUpdatedSchema], async (tx, { storeId, aggregateId: id, message: { tag } }) => {
    if (storeId !== undefined) await nameImages(ctx, tx, { storeId, type: 'tag', id }, [tag?.imageUrl])
  })
}

export function onTagDeleted(ctx: AppContext): EventHandler {
  return onEvent(TagDeletedSchema, async (tx, { storeId, aggregateId: id }) => {
    if (storeId !== undefined) await nameImages(ctx, tx, { storeId, type: 'tag', id }, [])
  })
}

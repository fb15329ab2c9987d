import { type EventHandler, onEvent } from '@storekeep/common/events'
import { StoreCreatedSchema, StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import type { AppContext } from '../context.ts'
import { nameImages } from '../steps/name-images.ts'

export function onStoreChanged(ctx: AppContext): EventHandler {
  return onEvent([StoreCreatedSchema, StoreUpdatedSchema], async (tx, { aggregateId: storeId, message: { store } }) => {
    const urls = [store?.logoUrl, store?.logoSquareUrl, store?.iconUrl]
    await nameImages(ctx, tx, { storeId, type: 'store', id: storeId }, urls)
  })
}

import { type EventHandler, onEvent } from '@storekeep/common/events'
import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { AppContext } from '../context.ts'
import { nameImages } from '../steps/name-images.ts'

export function onProductChanged(ctx: AppContext): EventHandler {
  return onEvent([ProductCreatedSchema, ProductUpdatedSchema], async (tx, { storeId, aggregateId: id, message }) => {
    if (storeId === undefined) return
    await nameImages(ctx, tx, { storeId, type: 'product', id }, [message.product?.terms?.imageUrl])
  })
}

export function onProductDeleted(ctx: AppContext): EventHandler {
  return onEvent(ProductDeletedSchema, async (tx, { storeId, aggregateId: id }) => {
    if (storeId !== undefined) await nameImages(ctx, tx, { storeId, type: 'product', id }, [])
  })
}

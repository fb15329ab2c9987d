import { type EventHandler, onEvent } from '@storekeep/common/events'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import type { AppContext } from '../context.ts'
import { nameImages } from '../steps/name-images.ts'

export function onCustomerChanged(ctx: AppContext): EventHandler {
  return onEvent(
    [CustomerCreatedSchema, CustomerUpdatedSchema],
    async (tx, { storeId, aggregateId: id, message: { customer } }) => {
      if (storeId === undefined) return
      const accounts = [customer?.profile, customer?.steam, customer?.minecraft]
      const urls = accounts.map((account) => account?.avatarUrl)
      await nameImages(ctx, tx, { storeId, type: 'customer', id }, urls)
    },
  )
}

export function onCustomerDeleted(ctx: AppContext): EventHandler {
  return onEvent(CustomerDeletedSchema, async (tx, { storeId, aggregateId: id }) => {
    if (storeId !== undefined) await nameImages(ctx, tx, { storeId, type: 'customer', id }, [])
  })
}

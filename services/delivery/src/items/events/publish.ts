import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  DeliveryItemActivatedSchema,
  DeliveryItemAddedSchema,
  DeliveryItemExpiredSchema,
  DeliveryItemRenewedSchema,
  DeliveryItemRevokedSchema,
  DeliveryItemUsedSchema,
} from '@storekeep/proto/delivery/v1/events'
import type { Item } from '../domain/item.ts'
import { itemToProto } from '../mappers.ts'

const deliveryItem = defineAggregate('delivery', 'delivery_item')

const schemas = {
  added: DeliveryItemAddedSchema,
  activated: DeliveryItemActivatedSchema,
  expired: DeliveryItemExpiredSchema,
  used: DeliveryItemUsedSchema,
  renewed: DeliveryItemRenewedSchema,
  revoked: DeliveryItemRevokedSchema,
} as const

export type ItemChange = keyof typeof schemas

/** Publishes what has happened to an item. The event has the item after the change, without its attempts. */
export async function publishItem(tx: Transaction, verb: ItemChange, item: Item, cause: Cause): Promise<void> {
  await deliveryItem.publish(tx, item, cause, { verb, schema: schemas[verb], message: { item: itemToProto(item) } })
}

/** Publishes that the time of an item is over, and that it no longer counts as owned. Its version has increased by two. */
export async function publishExpired(tx: Transaction, item: Item, cause: Cause): Promise<void> {
  await publishItem(tx, 'expired', { ...item, version: String(BigInt(item.version) - 1n) }, cause)
  await publishItem(tx, 'used', item, cause)
}

import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import {
  DeliveryCommandReleasedSchema,
  DeliveryItemActivatedSchema,
  DeliveryItemAddedSchema,
  DeliveryItemExpiredSchema,
  DeliveryItemRenewedSchema,
  DeliveryItemRevokedSchema,
  DeliveryItemUsedSchema,
} from '@storekeep/proto/delivery/v1/events'
import type { AttemptRow } from '../../attempts/db/schema.ts'
import { attemptToProto } from '../../attempts/mappers.ts'
import type { Item } from '../domain/item.ts'
import { itemToProto } from '../mappers.ts'

const deliveryItem = defineAggregate('delivery', 'delivery_item')
const command = defineAggregate('delivery', 'delivery_command')

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

/** Publishes that the staff have released a blocked command. */
export async function publishCommandReleased(tx: Transaction, row: AttemptRow, call: Call): Promise<void> {
  const message = { attempt: attemptToProto(row), releasedBy: call.actor }
  await command.publish(tx, row, call, { verb: 'released', schema: DeliveryCommandReleasedSchema, message })
}

import { type Exported, exported } from '@storekeep/common/exports'
import { DeliveryItemSchema } from '@storekeep/proto/delivery/v1/delivery_item'
import sql from 'sql-template-tag'
import { itemColumns } from './items/db/schema.ts'
import type { Item } from './items/domain/item.ts'
import { itemToProto } from './items/mappers.ts'

/** All items, without their attempts, for services that keep copies. */
export function exportedItems(): Exported {
  return exported({
    aggregate: 'delivery_item',
    source: sql`delivery_item`,
    columns: itemColumns,
    schema: DeliveryItemSchema,
    toMessage: (item: Item) => itemToProto(item),
  })
}

import { type Exported, exported } from '@storekeep/common/exports'
import { OrderSchema } from '@storekeep/proto/orders/v1/order'
import sql from 'sql-template-tag'
import { orderColumns, type StoredOrder, toOrderRow } from './orders/db/order-repository.ts'
import { orderToProto } from './orders/mappers.ts'

/** All orders, with the shopper's details, for services that keep copies. */
export function exportedOrders(): Exported {
  return exported({
    aggregate: 'order',
    source: sql`store_order`,
    columns: orderColumns,
    isLarge: true,
    schema: OrderSchema,
    toMessage: (row: StoredOrder) => orderToProto(toOrderRow(row)),
  })
}

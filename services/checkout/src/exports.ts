import { type Exported, exported } from '@storekeep/common/exports'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import sql from 'sql-template-tag'
import type { AppContext } from './context.ts'
import { productColumns, type StoredProduct, toProductRow } from './products/db/product-repository.ts'
import { productToProto } from './products/mappers.ts'
import { type StoredSession, sessionColumns, toSessionRow } from './sessions/db/schema.ts'
import { sessionToProto } from './sessions/mappers.ts'

/** Sessions, without their tokens, and products for services that keep copies of them. */
export function exportedRecords({ clock }: AppContext): Exported[] {
  return [
    exported({
      aggregate: 'checkout_session',
      source: sql`checkout_session`,
      columns: sessionColumns,
      isLarge: true,
      schema: CheckoutSessionSchema,
      toMessage: (row: StoredSession) => sessionToProto(toSessionRow(row), clock.now()),
    }),
    exported({
      aggregate: 'product',
      source: sql`product`,
      columns: productColumns,
      isLarge: true,
      schema: ProductSchema,
      toMessage: (row: StoredProduct) => productToProto(toProductRow(row)),
    }),
  ]
}

import { type Exported, exported } from '@storekeep/common/exports'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import { TagSchema } from '@storekeep/proto/checkout/v1/tag'
import sql from 'sql-template-tag'
import type { AppContext } from './context.ts'
import { productColumns, type StoredProduct, toProductRow } from './products/db/product-repository.ts'
import { productToProto } from './products/mappers.ts'
import { type StoredSession, sessionColumns, toSessionRow } from './sessions/db/schema.ts'
import { sessionToProto } from './sessions/mappers.ts'
import { tagColumns } from './tags/db/tag-repository.ts'
import { tagToProto } from './tags/mappers.ts'

/** Sessions, without their tokens, products and tags for services that keep copies of them. */
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
    exported({
      aggregate: 'tag',
      source: sql`tag`,
      columns: tagColumns,
      schema: TagSchema,
      toMessage: tagToProto,
    }),
  ]
}

import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const productType = defineRecordType({
  type: 'product',
  owner: 'checkout',
  schema: ProductSchema,
  changes: [ProductCreatedSchema, ProductUpdatedSchema],
  deletions: [ProductDeletedSchema],
  eventField: 'product',
  describe: ({ id, terms }) => ({
    texts: nonEmpty(terms?.name, terms?.slug),
    ids: [id],
    hints: { name: nonEmpty(terms?.name) },
  }),
})

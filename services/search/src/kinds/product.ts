import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import { given } from './given.ts'
import { defineKind } from './kind.ts'

export const productKind = defineKind({
  type: 'product',
  owner: 'checkout',
  schema: ProductSchema,
  changes: [ProductCreatedSchema, ProductUpdatedSchema],
  deletions: [ProductDeletedSchema],
  inEvent: 'product',
  describe: ({ id, terms }) => ({
    texts: given(terms?.name, terms?.slug),
    ids: [id],
    hints: { name: given(terms?.name) },
  }),
})

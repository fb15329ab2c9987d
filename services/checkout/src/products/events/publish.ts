import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { ProductCreatedSchema, ProductDeletedSchema, ProductUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { ProductRow } from '../db/product-repository.ts'
import { productToProto } from '../mappers.ts'

const product = defineAggregate('checkout', 'product')

export async function publishProductCreated(tx: Transaction, row: ProductRow, cause: Cause): Promise<void> {
  const message = { product: productToProto(row) }
  await product.publish(tx, row, cause, { verb: 'created', schema: ProductCreatedSchema, message })
}

export async function publishProductUpdated(tx: Transaction, row: ProductRow, cause: Cause): Promise<void> {
  const message = { product: productToProto(row) }
  await product.publish(tx, row, cause, { verb: 'updated', schema: ProductUpdatedSchema, message })
}

export async function publishProductDeleted(tx: Transaction, before: ProductRow, call: Call): Promise<void> {
  const messageOf = (row: typeof before) => ({ product: productToProto(row), deletedBy: call.actor })
  await product.publishDeleted(tx, before, call, { schema: ProductDeletedSchema, messageOf })
}

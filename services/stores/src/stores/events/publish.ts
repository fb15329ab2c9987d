import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { StoreCreatedSchema, StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import type { StoreRow } from '../db/schema.ts'
import { storeToProto } from '../mappers.ts'

const store = defineAggregate('stores', 'store')

export async function publishStore(
  tx: Transaction,
  verb: keyof typeof storeSchemas,
  row: StoreRow,
  cause: Cause,
): Promise<void> {
  const message = { store: storeToProto(row) }
  await store.publish(tx, { ...row, storeId: row.id }, cause, { verb, schema: storeSchemas[verb], message })
}

const storeSchemas = { created: StoreCreatedSchema, updated: StoreUpdatedSchema } as const

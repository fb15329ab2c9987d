import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import type { CustomerRow } from '../db/schema.ts'
import { customerToProto } from '../mappers.ts'

const customer = defineAggregate('customers', 'customer')

export async function publishCustomerCreated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  const message = { customer: customerToProto(row) }
  await customer.publish(tx, row, cause, { verb: 'created', schema: CustomerCreatedSchema, message })
}

export async function publishCustomerUpdated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  const message = { customer: customerToProto(row) }
  await customer.publish(tx, row, cause, { verb: 'updated', schema: CustomerUpdatedSchema, message })
}

export async function publishCustomerDeleted(tx: Transaction, before: CustomerRow, cause: Cause): Promise<void> {
  const messageOf = (row: CustomerRow) => ({ customer: customerToProto(row) })
  await customer.publishDeleted(tx, before, cause, { schema: CustomerDeletedSchema, messageOf })
}

export async function publishCustomerTokensRevoked(
  tx: Transaction,
  row: CustomerRow & { tokenEpoch: number },
  cause: Cause,
): Promise<void> {
  const message = { customer: customerToProto(row), tokenEpoch: row.tokenEpoch }
  await customer.publish(tx, row, cause, { verb: 'tokens_revoked', schema: CustomerTokensRevokedSchema, message })
}

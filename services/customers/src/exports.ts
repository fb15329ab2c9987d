import { exported } from '@storekeep/common/exports'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import sql from 'sql-template-tag'
import { customerColumns } from './db/schema.ts'
import { customerToProto } from './mappers.ts'

/** Customers for those who keep copies of them. */
export const exportedCustomers = exported({
  aggregate: 'customer',
  source: sql`customer`,
  columns: customerColumns,
  schema: CustomerSchema,
  toMessage: customerToProto,
})

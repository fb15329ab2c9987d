import { exported } from '@storekeep/common/exports'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import sql from 'sql-template-tag'
import { customerColumns } from './customers/db/schema.ts'
import { customerToProto } from './customers/mappers.ts'

/** All customers, for services that keep copies. */
export const exportedCustomers = exported({
  aggregate: 'customer',
  source: sql`customer`,
  columns: customerColumns,
  schema: CustomerSchema,
  toMessage: customerToProto,
})

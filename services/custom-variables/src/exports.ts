import { exported } from '@storekeep/common/exports'
import { CustomVariableSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import sql from 'sql-template-tag'
import { variableColumns } from './db/schema.ts'
import { variableToProto } from './mappers.ts'

/** Custom variables with their options, for services that keep copies of them. */
export const exportedVariables = exported({
  aggregate: 'custom_variable',
  source: sql`custom_variable`,
  columns: variableColumns,
  schema: CustomVariableSchema,
  toMessage: variableToProto,
})

import { type Audit, auditColumns, type Columns, selectColumns } from '@storekeep/common/postgres'
import { raw } from 'sql-template-tag'
import type { CustomVariable, VariableState } from '../domain/custom-variable.ts'

/** A variable with its options. Ids are int8 and therefore strings. */
export interface CustomVariableRow extends CustomVariable, Audit {}

/** The part of a CustomVariableRow that is stored in `custom_variable`. */
export type CustomVariableBaseRow = Omit<CustomVariableRow, 'options'>

/** The columns of the state of a variable that are stored in `custom_variable`. */
export const stateColumns = {
  identifier: 'identifier',
  name: 'name',
  description: 'description',
  type: 'type',
  valueRegex: 'value_regex',
} as const satisfies Columns<keyof Omit<VariableState, 'options'>>

export const variableTable = {
  id: 'id',
  storeId: 'store_id',
  ...stateColumns,
  ...auditColumns,
} as const satisfies Columns<keyof CustomVariableBaseRow>

/** The columns of a CustomVariableBaseRow. */
export const baseColumns = selectColumns(variableTable)

/** The columns of a CustomVariableRow, in a statement that reads from `custom_variable`. */
export const variableColumns = raw(`${baseColumns.sql}, (
    select coalesce(json_agg(json_build_object('id', option.id::text, 'name', option.name, 'value', value,
      'price', price, 'priceType', price_type, 'isDefault', is_default) order by sort_order), '[]')
    from custom_variable_option option
    where option.store_id = custom_variable.store_id and custom_variable_id = custom_variable.id
  ) as options`)

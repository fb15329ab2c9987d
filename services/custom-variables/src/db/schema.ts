import { raw } from 'sql-template-tag'
import type { CustomVariable } from '../domain/custom-variable.ts'

/** A variable with its options. Ids and versions are int8 and therefore strings. */
export interface CustomVariableRow extends CustomVariable {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** The part of a CustomVariableRow that is stored in `custom_variable`. */
export type CustomVariableBaseRow = Omit<CustomVariableRow, 'options'>

/** The columns of a CustomVariableBaseRow. */
export const baseColumns = raw(`id, store_id as "storeId", identifier, name, description, type,
  value_regex as "valueRegex", created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy",
  updated_at as "updatedAt", version`)

/** The columns of a CustomVariableRow, in a statement that reads from `custom_variable`. */
export const variableColumns = raw(`${baseColumns.sql}, (
    select coalesce(json_agg(json_build_object('id', option.id::text, 'name', option.name, 'value', value,
      'price', price, 'priceType', price_type, 'isDefault', is_default) order by sort_order), '[]')
    from custom_variable_option option
    where option.store_id = custom_variable.store_id and custom_variable_id = custom_variable.id
  ) as options`)

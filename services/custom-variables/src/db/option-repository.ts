import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { Option, OptionDraft } from '../domain/custom-variable.ts'
import type { CustomVariableBaseRow } from './schema.ts'

/** Inserts the options of a variable that has none, in order. Options without an id get a new one. */
export async function writeOptions(
  tx: Transaction,
  { storeId, id }: CustomVariableBaseRow,
  options: readonly OptionDraft[],
): Promise<Option[]> {
  if (options.length === 0) return []
  const rows = await tx.query<{ id: string; position: number }>(sql`
    insert into custom_variable_option (
      id, store_id, custom_variable_id, name, value, price, price_type, is_default, sort_order
    )
    select coalesce(given_id, flake_id()), ${storeId}::bigint, ${id}::bigint, name, value, price, price_type,
      is_default, position - 1
    from unnest(
      ${options.map((option) => option.id)}::bigint[], ${options.map(({ name }) => name)}::text[],
      ${options.map(({ value }) => value)}::text[], ${options.map(({ price }) => price)}::bigint[],
      ${options.map(({ priceType }) => priceType)}::text[], ${options.map(({ isDefault }) => isDefault)}::boolean[]
    ) with ordinality as option (given_id, name, value, price, price_type, is_default, position)
    returning id, sort_order as position`)
  const ids = new Map(rows.map((row) => [row.position, row.id]))
  return options.map((option, position) => ({ ...option, id: ids.get(position) ?? '' }))
}

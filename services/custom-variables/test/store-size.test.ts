import { toBinary } from '@bufbuild/protobuf'
import { faultOf, randomId } from '@storekeep/common/testing'
import { ListCustomVariablesResponseSchema } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  maxDescriptionLength,
  maxNameLength,
  maxOptionLength,
  maxPatternLength,
  maxStoreOptions,
  maxVariables,
  priceRanges,
} from '../src/domain/limits.ts'
import { createTestVariable, dropdown, inStore, option, text, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const manyOptions = (count: number) => Array.from({ length: count }, (_, n) => option(`${n}`))

/** Puts variables into a store without asking the service; texts by the number given, dropdowns of 100 options. */
async function fill(storeId: string, { texts = 0, dropdowns = 0 }): Promise<void> {
  await variables.database.query(sql`
    with made as (
      insert into custom_variable (store_id, identifier, name, description, type, created_by, created_at)
      select ${storeId}::bigint, 'filled-' || n, 'Name', '', case when n > ${texts} then 'dropdown' else 'text' end,
        'internal', now()
      from generate_series(1, ${texts + dropdowns}::int) n returning id, type
    )
    insert into custom_variable_option (
      store_id, custom_variable_id, name, value, price, price_type, is_default, sort_order
    )
    select ${storeId}::bigint, id, n::text, n::text, 0, 'fixed', false, n
    from made cross join generate_series(0, 99) n where type = 'dropdown'`)
}

describe('a store', () => {
  it('has at most 500 variables, also when 8 callers make the last two at once', async () => {
    const options = inStore()
    await fill(options.storeId, { texts: maxVariables - 2 })
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => createTestVariable(variables, options)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
    const { customVariables } = await variables.client.listCustomVariables({}, options)
    expect(customVariables).toHaveLength(maxVariables)
    await createTestVariable(variables, inStore())
    const [{ id = '' } = {}] = customVariables
    await variables.client.deleteCustomVariable({ customVariableId: id }, options)
    await createTestVariable(variables, options)
  })

  it('has at most 4,000 options, by a new dropdown as by a longer one', async () => {
    const options = inStore()
    await fill(options.storeId, { dropdowns: maxStoreOptions / 100 - 1 })
    const { id } = await createTestVariable(variables, options, dropdown(manyOptions(90)))
    const more = (count: number) => createTestVariable(variables, options, dropdown(manyOptions(count)))
    expect(await faultOf(more(11))).toMatchObject({ code: 'conflict' })
    const update = (count: number) =>
      variables.client.updateCustomVariable(
        { customVariableId: id, customVariable: { options: manyOptions(count) }, updateMask: { paths: ['options'] } },
        options,
      )
    await more(5)
    expect(await faultOf(update(96))).toMatchObject({ code: 'conflict' })
    await update(95)
    expect(await faultOf(more(1))).toMatchObject({ code: 'conflict' })
    await createTestVariable(variables, options, text())
  })

  it('that has all it may is listed in one answer, however long its texts are', async () => {
    const storeId = randomId()
    await fill(storeId, { texts: maxVariables - maxStoreOptions / 100, dropdowns: maxStoreOptions / 100 })
    // Four bytes each, as no other character has more.
    await variables.database.query(sql`
      update custom_variable set identifier = rpad(identifier, 64, 'x'), name = repeat('🦊', ${maxNameLength}),
        description = repeat('🦊', ${maxDescriptionLength}), version = ${largest},
        value_regex = case when type = 'text' then repeat('🦊', ${maxPatternLength}) end,
        created_by = 'global_customer:' || ${largest}, updated_by = 'global_customer:' || ${largest}, updated_at = now()
      where store_id = ${storeId}`)
    await variables.database.query(sql`
      update custom_variable_option set name = repeat('🦊', ${maxOptionLength}), price = ${priceRanges.fixed.min},
        value = repeat('🦊', ${maxOptionLength - 2}) || lpad(sort_order::text, 2, '0'), is_default = sort_order = 0
      where store_id = ${storeId}`)
    const answer = await variables.client.listCustomVariables({}, inStore(storeId))
    expect(answer.customVariables).toHaveLength(maxVariables)
    expect(answer.customVariables.flatMap(({ options }) => options)).toHaveLength(maxStoreOptions)
    const bytes = toBinary(ListCustomVariablesResponseSchema, answer).length
    expect(bytes).toBeGreaterThan(7_000_000)
    expect(bytes).toBeLessThan(8 * 1024 * 1024 * 0.95)
  })
})

const largest = '9223372036854775807'

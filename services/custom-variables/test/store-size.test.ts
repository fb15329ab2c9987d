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
import { createTestVariable, dropdown, inStore, insertVariables, option, text, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const manyOptions = (count: number) => Array.from({ length: count }, (_, n) => option(`${n}`))

describe('a store', () => {
  it('has at most 500 variables, even when 8 callers create the last two concurrently', async () => {
    const options = inStore()
    await insertVariables(variables.database, options.storeId, { texts: maxVariables - 2 })
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

  it('has at most 4,000 options, whether by a new dropdown or a longer one', async () => {
    const options = inStore()
    await insertVariables(variables.database, options.storeId, { dropdowns: maxStoreOptions / 100 - 1 })
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

  it('a store at its limits is listed in one response, with texts of maximum length', async () => {
    const storeId = randomId()
    await insertVariables(variables.database, storeId, {
      texts: maxVariables - maxStoreOptions / 100,
      dropdowns: maxStoreOptions / 100,
    })
    // Characters of four bytes, the most that UTF-8 uses.
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
    const response = await variables.client.listCustomVariables({}, inStore(storeId))
    expect(response.customVariables).toHaveLength(maxVariables)
    expect(response.customVariables.flatMap(({ options }) => options)).toHaveLength(maxStoreOptions)
    const bytes = toBinary(ListCustomVariablesResponseSchema, response).length
    expect(bytes).toBeGreaterThan(7_000_000)
    expect(bytes).toBeLessThan(8 * 1024 * 1024 * 0.95)
  })
})

const largest = '9223372036854775807'

import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestVariable, dropdown, inStore, option, text, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const remove = (customVariableId: string, options = inStore()) =>
  variables.client.deleteCustomVariable({ customVariableId }, options)

describe('DeleteCustomVariable', () => {
  it('deletes the variable with its options and frees its identifier', async () => {
    const options = inStore()
    const { id, identifier } = await createTestVariable(variables, options, dropdown([option('a'), option('b')]))
    await remove(id, options)
    const get = variables.client.getCustomVariable({ customVariableId: id }, options)
    expect(await faultOf(get)).toMatchObject({ code: 'not-found' })
    const left = await variables.database.query(sql`
      select 1 from custom_variable_option where custom_variable_id = ${id}`)
    expect(left).toEqual([])
    expect(await faultOf(remove(id, options))).toMatchObject({ code: 'not-found' })
    await createTestVariable(variables, options, text({ identifier }))
  })

  it('publishes the last state of the variable with the next version and the actor', async () => {
    const options = inStore()
    const variable = await createTestVariable(variables, options, dropdown([option('a')]))
    await remove(variable.id, options)
    expect(await eventsOf(variables, variable.id)).toMatchObject([
      { type: 'custom_variable.created', version: '1' },
      {
        type: 'custom_variable.deleted',
        version: '2',
        message: { customVariable: { ...variable, version: 2n }, deletedBy: options.actor },
      },
    ])
  })

  it('succeeds for one of 8 concurrent callers', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options)
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => remove(id, options)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-found' })
    expect(await eventsOf(variables, id)).toHaveLength(2)
  })

  it('returns not-found for a variable of another store and for an unknown id', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options)
    expect(await faultOf(remove(id))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(remove(randomId(), options))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(remove('x', options))).toEqual(['custom_variable_id format'])
    const { customVariable } = await variables.client.getCustomVariable({ customVariableId: id }, options)
    expect(customVariable?.id).toBe(id)
  })
})

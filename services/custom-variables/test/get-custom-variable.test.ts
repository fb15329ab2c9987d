import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestVariable, dropdown, inStore, option, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const get = (customVariableId: string, options = inStore()) =>
  variables.client.getCustomVariable({ customVariableId }, options)

describe('GetCustomVariable', () => {
  it('answers the variable as it was made', async () => {
    const options = inStore()
    const variable = await createTestVariable(variables, options, dropdown([option('b'), option('a')]))
    expect((await get(variable.id, options)).customVariable).toEqual(variable)
  })

  it('does not find an id that nobody has, and not the variable of another store', async () => {
    const { id } = await createTestVariable(variables, inStore())
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['custom_variable_id format'])
  })
})

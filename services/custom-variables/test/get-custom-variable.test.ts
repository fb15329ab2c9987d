import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestVariable, dropdown, inStore, option, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const get = (customVariableId: string, options = inStore()) =>
  variables.client.getCustomVariable({ customVariableId }, options)

describe('GetCustomVariable', () => {
  it('returns the variable as it was created', async () => {
    const options = inStore()
    const variable = await createTestVariable(variables, options, dropdown([option('b'), option('a')]))
    expect((await get(variable.id, options)).customVariable).toEqual(variable)
  })

  it('returns not-found for an unknown id and for a variable of another store', async () => {
    const { id } = await createTestVariable(variables, inStore())
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['custom_variable_id format'])
  })
})

import { describe, expect, it } from 'vitest'
import {
  createTestVariable,
  dropdown,
  inStore,
  insertVariables,
  number,
  option,
  text,
  useCustomVariables,
} from './harness.ts'

const variables = useCustomVariables()
const list = async (options = inStore()) => (await variables.client.listCustomVariables({}, options)).customVariables

describe('ListCustomVariables', () => {
  it('returns the variables of the store, newest first, with their options in order', async () => {
    const options = inStore()
    const created = []
    for (const given of [dropdown([option('b'), option('a')]), text(), number(), dropdown([option('c')])]) {
      created.push(await createTestVariable(variables, options, given))
    }
    await createTestVariable(variables, inStore())
    expect(await list(options)).toEqual(created.toReversed())
  })

  it('returns all variables without paging', async () => {
    const options = inStore()
    await insertVariables(variables.database, options.storeId, { texts: 120 })
    expect(await list(options)).toHaveLength(120)
  })

  it('returns an empty list for a store without variables', async () => {
    expect(await list()).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createTestVariable, dropdown, inStore, number, option, text, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()
const list = async (options = inStore()) => (await variables.client.listCustomVariables({}, options)).customVariables

describe('ListCustomVariables', () => {
  it('answers all of the store and no other, newest first, with their options in order', async () => {
    const options = inStore()
    const made = []
    for (const given of [dropdown([option('b'), option('a')]), text(), number(), dropdown([option('c')])]) {
      made.push(await createTestVariable(variables, options, given))
    }
    await createTestVariable(variables, inStore())
    expect(await list(options)).toEqual(made.toReversed())
  })

  it('is not paged', async () => {
    const options = inStore()
    for (let count = 0; count < 120; count += 1) await createTestVariable(variables, options)
    expect(await list(options)).toHaveLength(120)
  })

  it('is empty for a store without any', async () => {
    expect(await list()).toEqual([])
  })
})

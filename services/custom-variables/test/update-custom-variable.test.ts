import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import {
  type CustomVariable,
  type CustomVariableOption,
  CustomVariableType,
  PriceType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import { describe, expect, it } from 'vitest'
import {
  createTestVariable,
  dropdown,
  type Input,
  inStore,
  newIdentifier,
  number,
  type OptionInit,
  option,
  text,
  useCustomVariables,
} from './harness.ts'

const variables = useCustomVariables()

async function update(
  options: ReturnType<typeof inStore>,
  customVariableId: string,
  paths: string[],
  customVariable: Input = {},
): Promise<CustomVariable> {
  const request = { customVariableId, customVariable, updateMask: { paths } }
  const response = await variables.client.updateCustomVariable(request, options)
  return response.customVariable as CustomVariable
}

/** The request form of an existing option. */
function toInput({ id, name, value, price, priceType, isDefault }: CustomVariableOption): OptionInit {
  return { id, name, value, price, priceType, isDefault }
}

describe('UpdateCustomVariable', () => {
  it('changes only the fields in the mask and records the actor', async () => {
    const options = inStore()
    const before = await createTestVariable(variables, options, text({ description: 'Before', valueRegex: 'a' }))
    const support = { ...options, actor: { type: ActorType.API_KEY, id: '7' } }
    const after = await update(support, before.id, ['name'], number({ name: 'x', valueRegex: 'b' }))
    expect(after).toEqual({
      ...before,
      name: 'x',
      updatedBy: expect.objectContaining(support.actor),
      updatedAt: expect.anything(),
      version: 2n,
    })
    expect((await variables.client.getCustomVariable({ customVariableId: before.id }, options)).customVariable).toEqual(
      after,
    )
    const all = number({ description: 'y', valueRegex: 'c' })
    const paths = ['identifier', 'name', 'description', 'type', 'value_regex', 'options']
    expect(await update(options, before.id, paths, all)).toMatchObject({ ...all, version: 3n })
  })

  it('clears description and pattern when the mask names them and the request omits them', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options, text({ description: 'Before', valueRegex: 'a' }))
    const after = await update(options, id, ['description', 'value_regex'])
    expect(after.description).toBe('')
    expect(after.valueRegex).toBeUndefined()
  })

  it('replaces the options in the order of the request, keeping options with an id', async () => {
    const options = inStore()
    const { id, options: before } = await createTestVariable(
      variables,
      options,
      dropdown([option('a', { isDefault: true }), option('b'), option('c')]),
    )
    const [a, , c] = before.map(toInput)
    const { options: after } = await update(options, id, ['options'], {
      options: [{ ...c, price: 5n }, option('d', { isDefault: true }), { ...a, value: 'b', isDefault: false }],
    })
    expect(after).toMatchObject([
      { id: before[2]?.id, value: 'c', price: 5n, sortOrder: 0 },
      { value: 'd', isDefault: true, sortOrder: 1 },
      { id: before[0]?.id, value: 'b', isDefault: false, sortOrder: 2 },
    ])
    expect(before.map((one) => one.id)).not.toContain(after[1]?.id)
  })

  it('gives options without an id a new id, even if their value existed before', async () => {
    const options = inStore()
    const { id, options: before } = await createTestVariable(variables, options, dropdown([option('a')]))
    const after = await update(options, id, ['options'], { options: [option('a')] })
    expect(after.version).toBe(2n)
    expect(after.options[0]?.id).not.toBe(before[0]?.id)
  })

  it('drops the options or the pattern when the new type cannot have them', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options, dropdown([option('a')]))
    const asText = await update(options, id, ['type', 'value_regex'], text({ valueRegex: 'a' }))
    expect(asText).toMatchObject({ type: CustomVariableType.TEXT, options: [], valueRegex: 'a' })
    expect(await update(options, id, ['type'], number())).toMatchObject({ valueRegex: 'a' })
    const asDropdown = await update(options, id, ['type', 'options'], dropdown([option('b')]))
    expect(asDropdown.options).toMatchObject([{ value: 'b' }])
    expect(asDropdown.valueRegex).toBeUndefined()
  })

  it.each<[string, Input, string[], Input]>([
    ['an empty mask', text(), [], { name: 'x' }],
    ['no options for a text', text(), ['options'], {}],
    ['unchanged values', text({ name: 'a' }), ['name', 'description', 'type'], text({ name: 'a' })],
  ])('leaves the variable and its version unchanged for %s', async (_what, given, paths, change) => {
    const options = inStore()
    const before = await createTestVariable(variables, options, given)
    expect(await update(options, before.id, paths, change)).toEqual(before)
    expect(await eventsOf(variables, before.id)).toHaveLength(1)
  })

  it('leaves the variable unchanged when its options are sent unchanged', async () => {
    const options = inStore()
    const given = dropdown([option('a', { price: 5n, priceType: PriceType.PERCENTAGE, isDefault: true }), option('b')])
    const before = await createTestVariable(variables, options, given)
    expect(await update(options, before.id, ['options'], { options: before.options.map(toInput) })).toEqual(before)
  })

  it.each<[string, Input, string[], Input, string[]]>([
    ['a dropdown without options', text(), ['type'], dropdown([]), ['options required']],
    ['an empty list for a dropdown', dropdown([option('a')]), ['options'], {}, ['options length']],
    ['options for a text', text(), ['options'], { options: [option('a')] }, ['options exclusive']],
    [
      'a pattern for a dropdown',
      dropdown([option('a')]),
      ['value_regex'],
      { valueRegex: 'a' },
      ['value_regex exclusive'],
    ],
    [
      'options together with another type',
      dropdown([option('a')]),
      ['type', 'options'],
      number({ options: [option('a')] }),
      ['options exclusive'],
    ],
    [
      'every invalid field',
      text(),
      ['identifier', 'name', 'description', 'type', 'value_regex', 'options'],
      { identifier: 'ä', description: 'x'.repeat(1001), valueRegex: '[', options: [option('')] },
      [
        'identifier pattern',
        'name length',
        'description length',
        'type enum',
        'value_regex pattern',
        'options.0.name length',
        'options.0.value length',
      ],
    ],
  ])('rejects %s and changes nothing', async (_what, given, paths, change, expected) => {
    const options = inStore()
    const before = await createTestVariable(variables, options, given)
    expect(await violationsOf(update(options, before.id, paths, change))).toEqual(expected)
    const { customVariable } = await variables.client.getCustomVariable({ customVariableId: before.id }, options)
    expect(customVariable).toEqual(before)
  })

  it('rejects option ids of another variable, of a deleted option, and duplicates', async () => {
    const options = inStore()
    const { options: foreign } = await createTestVariable(variables, options, dropdown([option('a')]))
    const { id, options: own } = await createTestVariable(variables, options, dropdown([option('a'), option('b')]))
    const change = (given: OptionInit[]) => update(options, id, ['options'], { options: given })
    const [first] = own.map(toInput)
    expect(await violationsOf(change([option('c'), ...foreign.map(toInput)]))).toEqual(['options.1.id reference'])
    expect(await violationsOf(change([{ ...first }, { ...first, value: 'c' }]))).toEqual(['options.1.id unique'])
    await change([{ ...first }])
    expect(await violationsOf(change(own.map(toInput)))).toEqual(['options.1.id reference'])
  })

  it('rejects a field that cannot be changed', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options)
    expect(await faultOf(update(options, id, ['store_id']))).toMatchObject({ code: 'bad-request' })
    expect(await faultOf(update(options, id, ['__proto__']))).toMatchObject({ code: 'bad-request' })
  })

  it('rejects the identifier of another variable, and accepts its own in another case', async () => {
    const options = inStore()
    const [one, other] = [await createTestVariable(variables, options), await createTestVariable(variables, options)]
    const take = (identifier: string) => update(options, one.id, ['identifier'], { identifier })
    expect(await faultOf(take(other.identifier.toUpperCase()))).toMatchObject({
      code: 'conflict',
      violations: [{ path: 'identifier', validation: 'unique' }],
    })
    expect((await take(one.identifier.toUpperCase())).identifier).toBe(one.identifier.toUpperCase())
  })

  it('keeps both of two concurrent changes, and publishes each with the other applied, 10 times', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options, dropdown([option('a')]))
    for (let round = 0; round < 10; round += 1) {
      const [name, given] = [`round ${round}`, [option(`a${round}`), option('b')]]
      await Promise.all([update(options, id, ['name'], { name }), update(options, id, ['options'], { options: given })])
      const { customVariable } = await variables.client.getCustomVariable({ customVariableId: id }, options)
      expect(customVariable).toMatchObject({ name, options: given, version: BigInt(round * 2 + 3) })
      expect((await eventsOf(variables, id)).at(-1)?.message).toMatchObject({
        customVariable: { name, options: given },
      })
    }
  })

  it('returns not-found for a variable of another store and for an unknown id', async () => {
    const { id } = await createTestVariable(variables, inStore())
    expect(await faultOf(update(inStore(), id, ['name'], { name: 'x' }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), []))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['custom_variable_id format'])
  })

  it('takes effect once when repeated with its idempotency key, and publishes the whole variable', async () => {
    const options = inStore()
    const { id } = await createTestVariable(variables, options)
    const withSameKey = withKey(options)
    const first = await update(withSameKey, id, ['name'], { name: 'First' })
    await update(options, id, ['identifier'], { identifier: newIdentifier() })
    expect(await update(withSameKey, id, ['name'], { name: 'First' })).toEqual(first)
    const events = await eventsOf(variables, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['custom_variable.created', '1'],
      ['custom_variable.updated', '2'],
      ['custom_variable.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ customVariable: first })
  })
})

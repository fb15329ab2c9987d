import { isFlakeId } from '@storekeep/common/flake'
import { countEvents, eventsOf, faultOf, isPublished, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CustomVariableType, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { describe, expect, it } from 'vitest'
import {
  createTestVariable,
  dropdown,
  type Input,
  inStore,
  newIdentifier,
  number,
  option,
  text,
  useCustomVariables,
} from './harness.ts'

const variables = useCustomVariables()

describe('CreateCustomVariable', () => {
  it('creates a dropdown with all fields and its options in order', async () => {
    const options = inStore()
    const given = dropdown(
      [
        option('gold', { price: -1000n, priceType: PriceType.PERCENTAGE }),
        option('red', { price: 1_000_000_000_000n, isDefault: true }),
      ],
      { name: 'Farbe 🦊', description: 'Of the tag' },
    )
    const variable = await createTestVariable(variables, options, given)
    expect(variable).toMatchObject({
      ...given,
      storeId: options.storeId,
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      version: 1n,
    })
    expect(variable.options.map(({ sortOrder }) => sortOrder)).toEqual([0, 1])
    expect(new Set([variable.id, ...variable.options.map(({ id }) => id)].filter(isFlakeId)).size).toBe(3)
    expect(variable.updatedBy ?? variable.updatedAt ?? variable.valueRegex).toBeUndefined()
    expect(
      (await variables.client.getCustomVariable({ customVariableId: variable.id }, options)).customVariable,
    ).toEqual(variable)
  })

  it.each<[string, Input]>([
    ['a text', text()],
    ['a number with a pattern', number({ valueRegex: '^[1-9]' })],
    ['a text with an empty pattern', text({ valueRegex: '' })],
    ['a dropdown with one option', dropdown([option('a')])],
    ['a dropdown with 100 options', dropdown(Array.from({ length: 100 }, (_, n) => option(`${n}`)))],
    [
      'texts of maximum length',
      dropdown([option('🦊'.repeat(128), { name: '🦊'.repeat(128) })], {
        identifier: `${'x'.repeat(54)}-${newIdentifier().slice(-9)}`,
        name: '🦊'.repeat(128),
        description: '🦊'.repeat(1000),
      }),
    ],
    ['a pattern of maximum length', text({ valueRegex: '🦊'.repeat(512) })],
    ['a pattern with large repetitions', text({ valueRegex: '^.{1,512}$' })],
    ['a pattern with several repetitions', text({ valueRegex: '^\\w{1,64}@\\w{1,255}$' })],
  ])('accepts %s', async (_what, given) => {
    expect(await createTestVariable(variables, inStore(), given)).toMatchObject({ description: '', ...given })
  })

  it('returns a conflict when the identifier is taken in the store, ignoring case', async () => {
    const options = inStore()
    await createTestVariable(variables, options, text({ identifier: 'Color_I' }))
    const again = createTestVariable(variables, options, text({ identifier: 'cOLOR_i' }))
    expect(await faultOf(again)).toMatchObject({
      code: 'conflict',
      violations: [{ path: 'identifier', validation: 'unique' }],
    })
    await createTestVariable(variables, inStore(), text({ identifier: 'Color_I' }))
    expect(await countEvents(variables, options.storeId)).toBe(1)
  })

  it('creates one variable when 8 callers use an identifier concurrently', async () => {
    const options = inStore()
    const identifier = newIdentifier()
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => createTestVariable(variables, options, text({ identifier }))),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  })

  it.each<[string, Input, string[]]>([
    ['an empty variable', {}, ['identifier pattern', 'name length', 'type enum']],
    ['an identifier of 65 characters', text({ identifier: 'x'.repeat(65) }), ['identifier pattern']],
    ['the identifier __proto__', text({ identifier: '__proto__' }), ['identifier pattern']],
    ['an identifier with a dot', text({ identifier: 'a.b' }), ['identifier pattern']],
    ['an identifier with a newline', text({ identifier: 'a\n' }), ['identifier pattern']],
    [
      'texts that are too long',
      text({ name: 'x'.repeat(129), description: 'x'.repeat(1001) }),
      ['name length', 'description length'],
    ],
    ['NUL characters', text({ name: '\0', description: '\0' }), ['name pattern', 'description pattern']],
    ['a pattern of 513 characters', text({ valueRegex: 'x'.repeat(513) }), ['value_regex length']],
    ['an invalid pattern', text({ valueRegex: '(' }), ['value_regex pattern']],
    ['a pattern with look-ahead', text({ valueRegex: '(?=a)' }), ['value_regex pattern']],
    ['a pattern with a back-reference', text({ valueRegex: '(a)\\1' }), ['value_regex pattern']],
    ['a dropdown with a pattern', dropdown([option('a')], { valueRegex: 'a' }), ['value_regex exclusive']],
    ['a dropdown without options', dropdown([]), ['options length']],
    ['101 options', dropdown(Array.from({ length: 101 }, (_, n) => option(`${n}`))), ['options length']],
    ['a text with options', text({ options: [option('a')] }), ['options exclusive']],
    ['a number with options', number({ options: [option('a')] }), ['options exclusive']],
    ['a new option with an id', dropdown([option('a', { id: '411486491630370816' })]), ['options.0.id reference']],
    [
      'invalid options',
      dropdown([
        option('a', { isDefault: true }),
        option('a', { isDefault: true, id: 'x' }),
        option('', { name: 'x'.repeat(129), priceType: PriceType.UNSPECIFIED }),
        option('b', { price: 1_000_000_000_001n }),
        option('c', { price: -1001n, priceType: PriceType.PERCENTAGE }),
        option('d', { price: 10_001n, priceType: PriceType.PERCENTAGE }),
      ]),
      [
        'options.1.id format',
        'options.2.name length',
        'options.2.value length',
        'options.2.price_type enum',
        'options.3.price max',
        'options.4.price min',
        'options.5.price max',
        'options.1.value unique',
        'options.1.is_default exclusive',
      ],
    ],
  ])('rejects %s, naming each invalid field', async (_what, given, expected) => {
    const options = inStore()
    expect(await violationsOf(createTestVariable(variables, options, given))).toEqual(expected)
    expect(await countEvents(variables, options.storeId)).toBe(0)
  })

  it('rejects a request without a variable', async () => {
    expect(await violationsOf(variables.client.createCustomVariable({}, inStore()))).toContain('name length')
  })

  it('returns the stored response for a repeated idempotency key, and rejects the key for another variable', async () => {
    const options = withKey(inStore())
    const customVariable = dropdown([option('a')])
    const first = await variables.client.createCustomVariable({ customVariable }, options)
    expect(await variables.client.createCustomVariable({ customVariable }, options)).toEqual(first)
    const other = variables.client.createCustomVariable({ customVariable: { ...customVariable, name: 'x' } }, options)
    expect(await faultOf(other)).toMatchObject({ code: 'idempotency-mismatch' })
    expect(await countEvents(variables, options.storeId)).toBe(1)
  })

  it('publishes an event with the whole variable', async () => {
    const options = inStore()
    const customVariable = await createTestVariable(variables, options, dropdown([option('a')]))
    expect(customVariable.type).toBe(CustomVariableType.DROPDOWN)
    expect(await eventsOf(variables, customVariable.id)).toMatchObject([
      { type: 'custom_variable.created', version: '1', storeId: options.storeId, message: { customVariable } },
    ])
    await expect.poll(() => isPublished(variables, customVariable.id)).toBe(true)
  })
})

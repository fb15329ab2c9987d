import type { MessageInitShape } from '@bufbuild/protobuf'
import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { type CustomVariable, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { LineAnswersSchema } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createTestVariable,
  dropdown,
  type Input,
  inStore,
  number,
  option,
  text,
  useCustomVariables,
} from './harness.ts'

const variables = useCustomVariables()
const options = inStore()
const inputs = {
  Color: dropdown([option('red'), option('gold', { price: 125n, priceType: PriceType.PERCENTAGE, isDefault: true })]),
  size: dropdown([option('small'), option('large', { price: -50n })]),
  nick: text(),
  tag: text({ valueRegex: '[a-z]{2}' }),
  code: text({ valueRegex: '^[A-Z]+$' }),
  count: number(),
  even: number({ valueRegex: '[02468]$' }),
  long: text({ valueRegex: '^.{1,512}$' }),
} satisfies Record<string, Input>
type Name = keyof typeof inputs
const all = {} as Record<Name, CustomVariable>

beforeAll(async () => {
  for (const [identifier, input] of Object.entries(inputs)) {
    all[identifier as Name] = await createTestVariable(variables, options, { ...input, identifier })
  }
})

type Line = MessageInitShape<typeof LineAnswersSchema>

function line(names: Name[], values: Record<string, string> = {}, more: Line = {}): Line {
  return { path: 'lines.0.custom_variables', customVariableIds: names.map((name) => all[name].id), values, ...more }
}

async function resolve(...lines: Line[]) {
  return (await variables.client.resolveValues({ lines }, options)).lines.map(({ values }) => values)
}

describe('ResolveValues', () => {
  it('returns the variables of each line in the order of the ids, and options with their price', async () => {
    const [first, second, third] = await resolve(
      line(['nick', 'Color', 'count'], { count: '-12.5', Color: 'red', nick: 'Robin 🦊' }),
      line(['size'], { size: 'large' }),
      line([]),
    )
    expect(first).toMatchObject([
      { customVariableId: all.nick.id, identifier: 'nick', name: all.nick.name, value: 'Robin 🦊' },
      { customVariableId: all.Color.id, identifier: 'Color', value: 'red', option: all.Color.options[0] },
      { customVariableId: all.count.id, identifier: 'count', value: '-12.5' },
    ])
    expect(first?.[0]?.option ?? first?.[2]?.option).toBeUndefined()
    expect(second).toMatchObject([
      { value: 'large', option: { price: -50n, priceType: PriceType.FIXED, sortOrder: 1 } },
    ])
    expect(third).toEqual([])
  })

  it('uses the default option without an answer, and requires an answer otherwise', async () => {
    expect(await resolve(line(['Color']))).toMatchObject([
      [{ value: 'gold', option: { id: all.Color.options[1]?.id, price: 125n, priceType: PriceType.PERCENTAGE } }],
    ])
    expect(await violationsOf(resolve(line(['size', 'nick', 'count'])))).toEqual([
      'lines.0.custom_variables.size required',
      'lines.0.custom_variables.nick required',
      'lines.0.custom_variables.count required',
    ])
  })

  it.each<[Name, string]>([
    ['nick', 'x'],
    ['nick', '🦊'.repeat(1024)],
    ['tag', 'A pattern is searched for: xy'],
    ['code', 'ABC'],
    ['count', '0'],
    ['count', '-999999999999999.999999'],
    ['even', '-3.14'],
    ['long', 'a'.repeat(512)],
  ])('accepts for %s the answer %j', async (name, value) => {
    expect(await resolve(line([name], { [name]: value }))).toMatchObject([[{ value }]])
  })

  it.each<[Name, string, string]>([
    ['nick', '', 'length'],
    ['nick', 'x'.repeat(1025), 'length'],
    ['nick', 'a\0b', 'pattern'],
    ['tag', 'A', 'pattern'],
    ['code', 'ABC\n', 'pattern'],
    ['code', 'ABc', 'pattern'],
    ['count', '', 'length'],
    ['count', '1.', 'format'],
    ['count', '1e3', 'format'],
    ['count', '+1', 'format'],
    ['count', '١', 'format'],
    ['count', '1.1234567', 'format'],
    ['count', '1234567890123456', 'format'],
    ['count', '1\n', 'format'],
    ['even', '7', 'pattern'],
    ['Color', 'Red', 'enum'],
    ['Color', '', 'enum'],
    ['long', 'a'.repeat(513), 'pattern'],
  ])('rejects for %s the answer %j', async (name, value, validation) => {
    const expected = [`lines.0.custom_variables.${name} ${validation}`]
    expect(await violationsOf(resolve(line([name], { [name]: value })))).toEqual(expected)
  })

  it('rejects answers to variables that the line does not have, matching identifiers by exact case', async () => {
    const values = { nick: 'x', color: 'red', constructor: 'x', [`${'x'.repeat(63)}🦊`]: 'x' }
    expect(
      await violationsOf(resolve(line(['Color', 'nick'], values), line([], { nick: 'x' }, { path: 'b' }))),
    ).toEqual([
      'lines.0.custom_variables.color reference',
      'lines.0.custom_variables.constructor reference',
      `lines.0.custom_variables.${'x'.repeat(63)}\ufffd reference`,
      'b.nick reference',
    ])
  })

  it('ignores unknown ids of a product, and rejects unknown ids of an inline product', async () => {
    const { id: foreign } = await createTestVariable(variables, inStore(), text({ identifier: 'foreign' }))
    const { id: deleted } = await createTestVariable(variables, options, text({ identifier: 'deleted' }))
    await variables.client.deleteCustomVariable({ customVariableId: deleted }, options)
    const customVariableIds = [foreign, all.Color.id, deleted, randomId(), '', 'x', '99999999999999999999']
    expect(await resolve(line([], {}, { customVariableIds }))).toMatchObject([[{ identifier: 'Color' }]])
    const own = line([], {}, { customVariableIds, customVariableIdsPath: 'lines.0.inline_product.custom_variable_ids' })
    expect(await violationsOf(resolve(own))).toEqual(
      [0, 2, 3, 4, 5, 6].map((index) => `lines.0.inline_product.custom_variable_ids.${index} reference`),
    )
  })

  it('returns a variable once if its id occurs twice', async () => {
    expect(await resolve(line(['nick', 'Color', 'nick'], { nick: 'x' }))).toMatchObject([
      [{ identifier: 'nick' }, { identifier: 'Color' }],
    ])
  })

  it('reports every violation of all lines', async () => {
    const wrong = resolve(
      line(['nick', 'Color'], { Color: 'x', other: 'x' }, { path: 'lines.0.custom_variables' }),
      line(['count'], { count: 'x' }, { path: 'lines.1.custom_variables' }),
    )
    expect(await violationsOf(wrong)).toEqual([
      'lines.0.custom_variables.other reference',
      'lines.0.custom_variables.nick required',
      'lines.0.custom_variables.Color enum',
      'lines.1.custom_variables.count format',
    ])
  })

  it('accepts at most 100 lines of 50 variables', async () => {
    const customVariableIds = Array.from({ length: 50 }, () => all.Color.id)
    const full = line([], {}, { customVariableIds })
    expect(await resolve(...Array(100).fill(full))).toHaveLength(100)
    expect(await violationsOf(resolve(...Array(101).fill(line([]))))).toEqual(['lines length'])
    const over = line([], {}, { customVariableIds: [...customVariableIds, all.nick.id], path: 'a' })
    expect(await violationsOf(resolve(over, { ...over, customVariableIdsPath: 'b' }))).toEqual(['a length', 'b length'])
  })

  it('does not repeat the pattern in the error of an answer that does not match', async () => {
    const fault = await faultOf(resolve(line(['code'], { code: 'abc' })))
    expect(JSON.stringify(fault)).toContain('does not match')
    expect(JSON.stringify(fault)).not.toContain('A-Z')
  })

  it('rejects an answer whose match takes too much CPU time, and serves the next call', async () => {
    const { id } = await createTestVariable(variables, options, text({ identifier: 'slow' }))
    // Stored directly: on a busy machine, a check that compiles such a pattern can reach its own CPU limit.
    const pattern = `${'(?:.?){1000}'.repeat(40)}[!?]$`
    await variables.database.query(
      sql`update custom_variable set value_regex = ${pattern} where store_id = ${options.storeId} and id = ${id}`,
    )
    const slow = resolve(line([], { slow: 'a'.repeat(1024) }, { customVariableIds: [id] }))
    expect(await violationsOf(slow)).toEqual(['lines.0.custom_variables.slow length'])
    expect(await resolve(line(['code'], { code: 'ABC' }))).toMatchObject([[{ value: 'ABC' }]])
  })

  it('uses the new pattern as soon as an update returns', async () => {
    const { id } = await createTestVariable(variables, options, text({ identifier: 'moving', valueRegex: 'a' }))
    const answer = (value: string) => resolve(line([], { moving: value }, { customVariableIds: [id] }))
    await answer('a')
    const update = { customVariableId: id, updateMask: { paths: ['value_regex'] } }
    await variables.client.updateCustomVariable({ ...update, customVariable: { valueRegex: 'b' } }, options)
    expect(await violationsOf(answer('a'))).toEqual(['lines.0.custom_variables.moving pattern'])
    await answer('b')
  })
})

import { type CustomVariableBody, expectFault, fresh, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const text = (more: object = {}) => ({ identifier: fresh.name(), name: 'Nick', type: 'text', ...more })
const option = (value: string, more: object = {}) => ({
  name: value,
  value,
  price: 0,
  price_type: 'fixed',
  is_default: false,
  ...more,
})
const dropdown = (options: object[], more: object = {}) => ({ ...text(more), type: 'dropdown', options })
const options = (count: number) => Array.from({ length: count }, (_, n) => option(`value ${n}`))

describe('POST /custom-variables', () => {
  it('creates a dropdown and returns 200 with every field of the variable and its options', async () => {
    const input = dropdown(
      [
        option('red', { name: 'Red 🦊', price: -1000, price_type: 'percentage' }),
        option('gold', { price: 250, is_default: true }),
      ],
      { description: 'Of the tag' },
    )
    const { status, body } = await store.post<CustomVariableBody>('/custom-variables', input)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...input,
      id: expect.stringMatching(/^[1-9]\d{17,18}$/),
      store_id: store.id,
      value_regex: null,
      options: input.options.map((one, index) => ({
        ...one,
        id: expect.stringMatching(/^[1-9]\d{17,18}$/),
        store_id: store.id,
        custom_variable_id: body.id,
        sort_order: index,
      })),
      created_by: { type: 'api_key', id: store.apiKeyId },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_by: null,
      updated_at: null,
    })
    expect((await store.get(`/custom-variables/${body.id}`)).body).toEqual(body)
  })

  it.each<[string, object, object]>([
    ['a text variable with only the required fields', {}, { description: '', value_regex: null, options: [] }],
    ['null for optional fields', { description: null, value_regex: null }, { description: '', value_regex: null }],
    ['a number with a pattern', { type: 'number', value_regex: '^[0-9]{1,3}$' }, {}],
    ['no options for a text', { options: [] }, {}],
    ['an identifier of 64 characters', { identifier: `_-${'aZ09'.repeat(15)}_-` }, {}],
    ['strings of the maximum length', { name: '🦊'.repeat(128), description: '🦊'.repeat(1000) }, {}],
    ['a pattern of 512 characters', { value_regex: 'x'.repeat(512) }, {}],
    ['100 options', { type: 'dropdown', options: options(100) }, { options: options(100) }],
    [
      'the highest and lowest prices',
      {
        type: 'dropdown',
        options: [
          option('a', { price: 1_000_000_000_000 }),
          option('b', { price: -1_000_000_000_000 }),
          option('c', { price: 10_000, price_type: 'percentage' }),
          option('d', { price: -1000, price_type: 'percentage' }),
        ],
      },
      {
        options: [1_000_000_000_000, -1_000_000_000_000, 10_000, -1000].map((price) =>
          expect.objectContaining({ price }),
        ),
      },
    ],
  ])('accepts %s', async (_, given, kept) => {
    const { status, body, text: response } = await store.post<CustomVariableBody>('/custom-variables', text(given))
    expect(status, response).toBe(200)
    expect(body).toMatchObject({ ...('options' in given ? {} : given), ...kept } as object)
  })

  it('ignores unknown and read-only fields', async () => {
    const { status, body } = await store.post<CustomVariableBody>(
      '/custom-variables',
      dropdown([option('a', { sort_order: 9, store_id: '1', color: 'x' })], { id: '1', created_at: 'x', severity: 7 }),
    )
    expect(status).toBe(200)
    expect(body.id).not.toBe('1')
    expect(body.options[0]).toMatchObject({ sort_order: 0, store_id: store.id })
    expect(body).not.toHaveProperty('severity')
  })

  it('rejects an identifier that another variable of the store has, ignoring case', async () => {
    const own = await createStore()
    const { body } = await own.post<CustomVariableBody>('/custom-variables', text({ identifier: 'Nick_I' }))
    expectFault(await own.post('/custom-variables', text({ identifier: 'nICK_i' })), 'conflict', ['identifier unique'])
    expect((await own.get('/custom-variables')).body).toEqual([body])
    const elsewhere = await (await createStore()).post('/custom-variables', text({ identifier: 'Nick_I' }))
    expect(elsewhere.status).toBe(200)
  })
})

describe('POST /custom-variables rejects', () => {
  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['identifier required', 'name required', 'type required']],
    ['a dropdown without options', text({ type: 'dropdown' }), ['options']],
    ['a dropdown with an empty list', dropdown([]), ['options length']],
    ['a text with options', text({ options: options(1) }), ['options exclusive']],
    ['a number with options', text({ type: 'number', options: options(1) }), ['options exclusive']],
    ['a dropdown with a pattern', dropdown(options(1), { value_regex: 'a' }), ['value_regex exclusive']],
    ['duplicate values', dropdown([option('a'), option('b'), option('a')]), ['options.2.value unique']],
    [
      'two defaults',
      dropdown([option('a', { is_default: true }), option('b', { is_default: true })]),
      ['options.1.is_default exclusive'],
    ],
    ['the id of an option', dropdown([option('a', { id: '411486491630370816' })]), ['options.0.id reference']],
    ['an empty value', dropdown([option('')]), ['options.0.name length', 'options.0.value length']],
    [
      'a percentage below the minimum',
      dropdown([option('a', { price: -1001, price_type: 'percentage' })]),
      ['options.0.price min'],
    ],
    [
      'a percentage above the maximum',
      dropdown([option('a', { price: 10_001, price_type: 'percentage' })]),
      ['options.0.price max'],
    ],
  ])('%s', async (_, input, items) => {
    expectFault(await store.post('/custom-variables', input), 'validation-failed', items)
  })

  it.each(['(', '[a', '*', '(?=a)', '(?<!a)', '(a)\\1', 'a{1001}', '(?:(?:a?){500}a{500}){9}', 'a++'])(
    'the pattern %s',
    async (value_regex) => {
      const response = await store.post('/custom-variables', text({ value_regex }))
      expectFault(response, 'validation-failed', ['value_regex pattern'])
    },
  )

  it('all violations found by the service, and creates nothing', async () => {
    const own = await createStore()
    const response = await own.post('/custom-variables', {
      ...text({ value_regex: '(' }),
      type: 'dropdown',
      options: [option('a'), option('a', { price: -1001, price_type: 'percentage' })],
    })
    expectFault(response, 'validation-failed', ['value_regex', 'options.1.value unique', 'options.1.price min'])
    expect((await own.get('/custom-variables')).body).toEqual([])
  })
})

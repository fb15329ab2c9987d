import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CustomVariableType, PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const text = { identifier: 'nick', name: 'Nick', type: 'text' }
const option = { name: 'Red', value: 'red', price: -5, price_type: 'percentage', is_default: true }
const dropdown = { identifier: 'color', name: 'Color', type: 'dropdown', options: [option] }

const invalidFields: [string, object, string[]][] = [
  ['an identifier that no body may name', { ...text, identifier: '__proto__' }, ['identifier pattern']],
  ['an identifier with a space', { ...text, identifier: 'a b' }, ['identifier pattern']],
  ['an identifier of 65 characters', { ...text, identifier: 'x'.repeat(65) }, ['identifier pattern']],
  ['an empty identifier', { ...text, identifier: '' }, ['identifier pattern']],
  ['an identifier with a dot', { ...text, identifier: 'a.b' }, ['identifier pattern']],
  ['an identifier with an umlaut', { ...text, identifier: 'ä' }, ['identifier pattern']],
  ['an identifier with a line end', { ...text, identifier: 'a\n' }, ['identifier pattern']],
  ['an empty name', { ...text, name: '' }, ['name length']],
  [
    'long texts',
    { ...text, name: 'x'.repeat(129), description: 'x'.repeat(1001) },
    ['name length', 'description length'],
  ],
  ['a long pattern', { ...text, value_regex: 'x'.repeat(513) }, ['value_regex length']],
  ['a pattern that is a number', { ...text, value_regex: 5 }, ['value_regex type']],
  ['another type', { ...text, type: 'Text' }, ['type enum']],
  ['null for the options', { ...dropdown, options: null }, ['options type']],
  ['101 options', { ...dropdown, options: Array(101).fill(option) }, ['options length']],
  [
    'an empty option',
    { ...dropdown, options: [option, {}] },
    ['name', 'value', 'price', 'price_type', 'is_default'].map((field) => `options.1.${field} required`),
  ],
  ['a malformed option id', { ...dropdown, options: [{ ...option, id: 'x' }] }, ['options.0.id format']],
  [
    'an unknown price type',
    { ...dropdown, options: [{ ...option, price_type: 'free' }] },
    ['options.0.price_type enum'],
  ],
  ['a price that is a text', { ...dropdown, options: [{ ...option, price: '5' }] }, ['options.0.price type']],
  ['a price with a fraction', { ...dropdown, options: [{ ...option, price: 0.5 }] }, ['options.0.price type']],
  ['a price beyond its range', { ...dropdown, options: [{ ...option, price: 1e12 + 1 }] }, ['options.0.price max']],
  [
    'a default that is no boolean',
    { ...dropdown, options: [{ ...option, is_default: 1 }] },
    ['options.0.is_default type'],
  ],
]

describe('POST /custom-variables', () => {
  it('passes every field to the service and returns 200', async () => {
    const json = { ...dropdown, description: 'x', value_regex: 'a', options: [{ ...option, id: '7' }] }
    const response = await gateway.newStore().send('POST', '/custom-variables', { json })
    expect(response.status).toBe(200)
    expect(response.headers.location).toBeUndefined()
    expect(gateway.received()).toMatchObject({
      customVariable: {
        identifier: 'color',
        name: 'Color',
        description: 'x',
        type: CustomVariableType.DROPDOWN,
        valueRegex: 'a',
        options: [{ id: '7', name: 'Red', value: 'red', price: -5n, priceType: PriceType.PERCENTAGE, isDefault: true }],
      },
    })
  })

  it('accepts null for nullable fields and omits them', async () => {
    const json = { ...text, description: null, value_regex: null }
    expect((await gateway.newStore().send('POST', '/custom-variables', { json })).status).toBe(200)
    const { customVariable } = gateway.received() as { customVariable: object }
    expect(Object.hasOwn(customVariable, 'description')).toBe(false)
    expect(Object.hasOwn(customVariable, 'valueRegex')).toBe(false)
  })

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['identifier required', 'name required', 'type required']],
    ['null', { identifier: null, name: null, type: null }, ['identifier type', 'name type', 'type enum']],
    ...invalidFields,
  ])('rejects %s', async (_, json, items) => {
    expect(itemsOf(await gateway.newStore().send('POST', '/custom-variables', { json }))).toEqual(items)
  })

  it.each([
    ['99999999999999999999', 'options.0.price max'],
    ['-99999999999999999999', 'options.0.price min'],
  ])('rejects the price %s, which JSON cannot represent exactly', async (price, item) => {
    const raw = JSON.stringify(dropdown).replace('-5', price)
    const headers = { 'content-type': 'application/json' }
    expect(itemsOf(await gateway.newStore().send('POST', '/custom-variables', { raw, headers }))).toEqual([item])
  })
})

describe('PATCH /custom-variables/{customVariableId}', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, []],
    [
      'every field',
      { ...dropdown, description: '', value_regex: 'a' },
      ['identifier', 'name', 'description', 'type', 'value_regex', 'options'],
    ],
    ['null, which clears', { description: null, value_regex: null }, ['description', 'value_regex']],
    ['an empty list', { options: [] }, ['options']],
  ])('updates %s', async (_, json, paths) => {
    const customVariableId = newId()
    const response = await gateway.newStore().send('PATCH', `/custom-variables/${customVariableId}`, { json })
    expect(response.status).toBe(200)
    expect(gateway.received()).toMatchObject({ customVariableId, updateMask: { paths } })
  })

  it.each(invalidFields)('rejects %s', async (_, json, items) => {
    const response = await gateway.newStore().send('PATCH', `/custom-variables/${newId()}`, { json })
    expect(itemsOf(response)).toEqual(items)
  })

  it('rejects null for fields that are not nullable', async () => {
    const json = { identifier: null, name: null, type: null, options: null }
    const response = await gateway.newStore().send('PATCH', `/custom-variables/${newId()}`, { json })
    expect(itemsOf(response)).toEqual(['identifier type', 'name type', 'type enum', 'options type'])
  })
})

describe('GET /custom-variables', () => {
  it('returns the whole list, without paging', async () => {
    const response = await gateway.newStore().send('GET', '/custom-variables')
    expect(response.body).toHaveLength(1)
    expect(response.headers.link).toBeUndefined()
  })

  it.each(['limit=1', 'after=5', 'type=text', 'asc=true'])('rejects %s', async (query) => {
    const [name] = query.split('=')
    expect(itemsOf(await gateway.newStore().send('GET', `/custom-variables?${query}`)).join()).toContain(name)
  })
})

describe('a custom variable', () => {
  it('is returned with every field, its options with the ids of store and variable', async () => {
    const store = gateway.newStore()
    const { body } = await store.send('GET', '/custom-variables/5')
    expect(body).toEqual({
      id: '5',
      store_id: store.id,
      identifier: 'color',
      name: 'Color',
      description: '',
      type: 'dropdown',
      value_regex: null,
      options: [
        {
          id: '7',
          store_id: store.id,
          custom_variable_id: '5',
          name: 'Red',
          value: 'red',
          price: -5,
          price_type: 'percentage',
          is_default: false,
          sort_order: 0,
        },
      ],
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      updated_by: null,
      updated_at: null,
    })
  })

  it('names who changed it', async () => {
    const store = gateway.newStore()
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    gateway.services.overrides.getCustomVariable = async () => ({
      customVariable: {
        id: '5',
        storeId: store.id,
        type: CustomVariableType.NUMBER,
        valueRegex: '^1',
        createdAt: time,
        updatedBy: { type: ActorType.INTERNAL },
        updatedAt: time,
      },
    })
    expect((await store.send('GET', '/custom-variables/5')).body).toMatchObject({
      type: 'number',
      value_regex: '^1',
      options: [],
      updated_by: { type: 'internal', id: null },
      updated_at: '2026-11-20T15:00:00.000Z',
    })
  })

  it('returns 204 for a DELETE', async () => {
    const response = await gateway.newStore().send('DELETE', '/custom-variables/5')
    expect([response.status, response.body]).toEqual([204, undefined])
    expect(gateway.received()).toMatchObject({ customVariableId: '5' })
  })

  it('requires the read and write scopes', async () => {
    const reader = gateway.newStore(['custom-variables:read'])
    expect((await reader.send('GET', '/custom-variables')).status).toBe(200)
    expect((await reader.send('POST', '/custom-variables', { json: text })).status).toBe(403)
    expect((await reader.send('DELETE', '/custom-variables/5')).status).toBe(403)
    expect((await gateway.newStore(['bans:read']).send('GET', '/custom-variables')).status).toBe(403)
  })
})

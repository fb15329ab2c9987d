import { type CustomVariableBody, expectFault, fresh, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()

const option = (value: string, more: object = {}) => ({
  name: value,
  value,
  price: 0,
  price_type: 'fixed',
  is_default: false,
  ...more,
})

async function newVariable(input: object = {}): Promise<CustomVariableBody> {
  const whole = { identifier: fresh.name(), name: 'Nick', type: 'text', ...input }
  const { body, status, text } = await store.post<CustomVariableBody>('/custom-variables', whole)
  expect(status, text).toBe(200)
  return body
}

const newDropdown = (...options: object[]) => newVariable({ type: 'dropdown', options })

async function change(id: string, input: unknown): Promise<CustomVariableBody> {
  const { body, status, text } = await store.patch<CustomVariableBody>(`/custom-variables/${id}`, input)
  expect(status, text).toBe(200)
  return body
}

describe('PATCH /custom-variables/{customVariableId}', () => {
  it('changes only the fields sent and records who changed them', async () => {
    const before = await newVariable({ description: 'Before', value_regex: 'a' })
    const after = await change(before.id, { name: 'After' })
    expect(after).toEqual({
      ...before,
      name: 'After',
      updated_by: { type: 'api_key', id: store.apiKeyId },
      updated_at: expect.any(String),
    })
    expect(Date.parse(after.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.created_at))
    expect((await store.get(`/custom-variables/${before.id}`)).body).toEqual(after)
  })

  it.each([
    ['identifier', fresh.name()],
    ['name', '🦊'],
    ['description', 'x'],
    ['type', 'number'],
    ['value_regex', '^b$'],
  ])('changes only %s', async (field, value) => {
    const before = await newVariable({ description: 'Before', value_regex: 'a' })
    expect(await change(before.id, { [field]: value })).toMatchObject({
      ...before,
      [field]: value,
      updated_at: expect.any(String),
      updated_by: { type: 'api_key' },
    })
  })

  it('accepts null to clear the description and the pattern', async () => {
    const { id } = await newVariable({ description: 'Before', value_regex: 'a' })
    expect(await change(id, { description: null })).toMatchObject({ description: '', value_regex: 'a' })
    expect(await change(id, { value_regex: null })).toMatchObject({ value_regex: null })
  })

  it('replaces the options: an id keeps its option, others are created, and omitted ones are deleted', async () => {
    const { id, options } = await newDropdown(option('a', { is_default: true }), option('b'), option('c'))
    const after = await change(id, {
      options: [
        { ...options[2], value: 'a', price: 7 },
        option('d', { is_default: true }),
        { ...options[0], value: 'c', is_default: false },
      ],
    })
    expect(after.options).toMatchObject([
      { id: options[2]?.id, value: 'a', price: 7, sort_order: 0, custom_variable_id: id },
      { value: 'd', is_default: true, sort_order: 1 },
      { id: options[0]?.id, value: 'c', is_default: false, sort_order: 2 },
    ])
    expect(options.map((one) => one.id)).not.toContain(after.options[1]?.id)
    expect((await store.get(`/custom-variables/${id}`)).body).toEqual(after)
  })

  it('deletes the options when the type is no longer dropdown, and the pattern when it becomes one', async () => {
    const { id } = await newDropdown(option('a'))
    expect(await change(id, { type: 'text', value_regex: 'x' })).toMatchObject({ options: [], value_regex: 'x' })
    expectFault(await store.patch(`/custom-variables/${id}`, { type: 'dropdown' }), 'validation-failed', ['options'])
    expect(await change(id, { type: 'dropdown', options: [option('b')] })).toMatchObject({
      options: [{ value: 'b' }],
      value_regex: null,
    })
  })

  it.each<[string, unknown]>([
    ['an empty body', {}],
    ['no body', undefined],
    ['only unknown fields', { severity: 3, created_at: null }],
  ])('changes nothing for %s, not even updated_at', async (_, input) => {
    const before = await newDropdown(option('a'))
    expect(await change(before.id, input)).toEqual(before)
  })

  it('keeps updated_at when all values are unchanged', async () => {
    const before = await newDropdown(option('a', { price: 5, is_default: true }), option('b'))
    expect(await change(before.id, before)).toEqual(before)
  })

  it('is idempotent with a key', async () => {
    const { id } = await newVariable()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const first = await store.patch(`/custom-variables/${id}`, { name: 'First' }, { headers })
    await change(id, { name: 'Second' })
    expect((await store.patch(`/custom-variables/${id}`, { name: 'First' }, { headers })).text).toBe(first.text)
    expect((await store.get<CustomVariableBody>(`/custom-variables/${id}`)).body.name).toBe('Second')
    expectFault(await store.patch(`/custom-variables/${id}`, { name: 'x' }, { headers }), 'idempotency-mismatch')
  })
})

describe('PATCH /custom-variables/{customVariableId} rejects', () => {
  it.each<[string, object, string]>([
    ['name', { name: '' }, 'name'],
    ['pattern', { value_regex: 'a' }, 'value_regex exclusive'],
    ['options', { options: [] }, 'options length'],
    ['options', { options: [option('a'), option('a')] }, 'options.1.value unique'],
    ['options', { options: [option('a'), option('b', { id: unknownId })] }, 'options.1.id reference'],
    ['options', { type: 'number', options: [option('a')] }, 'options exclusive'],
  ])('an invalid %s: %j, and changes nothing', async (_, input, item) => {
    const before = await newDropdown(option('a'))
    const response = await store.patch(`/custom-variables/${before.id}`, { description: 'Changed', ...input })
    expectFault(response, 'validation-failed', [item])
    expect((await store.get(`/custom-variables/${before.id}`)).body).toEqual(before)
  })

  it('the option of another variable', async () => {
    const [one, other] = [await newDropdown(option('a')), await newDropdown(option('a'))]
    const response = await store.patch(`/custom-variables/${one.id}`, {
      options: [...one.options, { ...other.options[0], value: 'b' }],
    })
    expectFault(response, 'validation-failed', ['options.1.id reference'])
  })

  it('the identifier of another variable of the store, ignoring case', async () => {
    const [one, other] = [await newVariable(), await newVariable()]
    const identifier = other.identifier.toUpperCase()
    expectFault(await store.patch(`/custom-variables/${one.id}`, { identifier }), 'conflict', ['identifier unique'])
    expect(await change(other.id, { identifier })).toMatchObject({ identifier })
  })

  it('an unknown variable and one of another store, even when the body changes nothing', async () => {
    const other = await createStore()
    const input = { identifier: fresh.name(), name: 'Nick', type: 'text' }
    const { body: foreign } = await other.post<CustomVariableBody>('/custom-variables', input)
    for (const id of [unknownId, foreign.id]) {
      expectFault(await store.patch(`/custom-variables/${id}`, { name: 'x' }), 'not-found')
      expectFault(await store.patch(`/custom-variables/${id}`, {}), 'not-found')
    }
    expect((await store.patch('/custom-variables/abc', {})).status).toBe(400)
    expect((await other.get(`/custom-variables/${foreign.id}`)).body).toEqual(foreign)
  })
})

describe('DELETE /custom-variables/{customVariableId}', () => {
  it('removes the variable, frees its identifier, and returns 404 the second time', async () => {
    const { id, identifier } = await newDropdown(option('a'), option('b'))
    const { status, text } = await store.delete(`/custom-variables/${id}`)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expectFault(await store.get(`/custom-variables/${id}`), 'not-found')
    expectFault(await store.patch(`/custom-variables/${id}`, { name: 'x' }), 'not-found')
    expectFault(await store.delete(`/custom-variables/${id}`), 'not-found')
    const { body } = await store.get<CustomVariableBody[]>('/custom-variables')
    expect(body.map((one) => one.id)).not.toContain(id)
    await newVariable({ identifier })
  })
})

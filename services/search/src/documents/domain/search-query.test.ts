import { describe, expect, it } from 'vitest'
import { indexEntry } from './document-index.ts'
import { readQuery } from './search-query.ts'

/** The index entry of a record with these texts. */
const entryOf = (...texts: string[]) => indexEntry('1', '7', { texts, ids: [], hints: {} })

describe('a query', () => {
  it('a blank query restricts nothing', () => {
    const blank = { folded: '', words: [], requirements: [], matchesNothing: false }
    expect(readQuery('1', ' ', { name: ' ', code: '' })).toMatchObject(blank)
  })

  it('a query of punctuation alone is looked up as a complete value', () => {
    const { words, requirements } = readQuery('1', '-_-', {})
    expect([words, requirements.length]).toEqual([[], 1])
    expect(entryOf('-_-').keys).toEqual(requirements[0]?.keys)
    expect(entryOf('-_+').keys).not.toEqual(requirements[0]?.keys)
  })

  it('finds a word by start and part, and with a typo', () => {
    const { requirements } = readQuery('1', 'robin', {})
    expect(requirements).toEqual([{ start: 'robin', part: 'robin', typoOf: 'robin', words: [], keys: [] }])
  })

  it.each(['1042', '069a79f444e94726a5befca90e38aaf5'])('finds the id %s by its key', (id) => {
    const { keys } = indexEntry('1', '7', { texts: [], ids: [id.toUpperCase()], hints: {} })
    expect(readQuery('1', id, {}).requirements[0]?.keys).toEqual(keys)
  })

  it.each([
    ['ab', { start: 'ab' }],
    ['abc', { start: 'abc', part: 'abc' }],
    ['1042', { start: '1042', part: '1042', id: { value: '1042' } }],
    ['76561197960265729', { start: '76561197960265729', id: { value: '76561197960265729' } }],
  ])('finds %s without the other ways', (query, expected) => {
    expect(readQuery('1', query, {}).requirements).toEqual([{ ...expected, words: [], keys: expect.any(Array) }])
  })

  it.each([
    ['an email address', 'Bob@Example.org', 'refund, see (bob@example.org)'],
    ['a UUID', '069A79F444E94726A5BEFCA90E38AAF5', '069a79f4-44e9-4726-a5be-fca90e38aaf5'],
    ['an IPv4 address', '192.0.2.17', 'from 192.0.2.17'],
    ['an IPv6 address', '2001:0DB8:0::1', '2001:db8::1'],
  ])('%s is looked up as a whole', (_what, query, text) => {
    const [requirement] = readQuery('1', query, {}).identifier ?? []
    expect(entryOf(text).keys.filter((key) => requirement?.keys.includes(key))).toHaveLength(1)
    expect(requirement).not.toHaveProperty('start')
  })

  it('a long number is looked up as a whole word', () => {
    expect(readQuery('1', '76561197960265729', {}).identifier).toMatchObject([{ words: ['76561197960265729'] }])
  })

  it.each(['robin', 'robin bob@example.org', 'example.org', '1042', '10:30', 'pre-order-7', '@bob'])(
    '%j is no complete identifier',
    (query) => {
      expect(readQuery('1', query, {}).identifier).toBeUndefined()
    },
  )

  it('may have 200 characters and 20 words', () => {
    expect(readQuery('1', '🦊'.repeat(200), {}).words).toHaveLength(1)
    expect(readQuery('1', Array.from({ length: 20 }, (_, n) => n).join(' '), {}).words).toHaveLength(20)
  })

  it.each([
    ['x'.repeat(201), 'query: must have at most 200 characters'],
    [Array.from({ length: 21 }, (_, n) => n).join(' '), 'query: must have at most 20 words'],
  ])('that is too long is rejected: %s', (query, message) => {
    expect(() => readQuery('1', query, {})).toThrow(message)
  })

  it('a query with a malformed hint matches nothing', () => {
    expect(readQuery('1', '', { ip: 'home' }).matchesNothing).toBe(true)
    expect(readQuery('1', '', { minecraft_uuid: '5' }).matchesNothing).toBe(true)
  })

  it.each([
    ['minecraft_uuid', '069A79F444E94726A5BEFCA90E38AAF5', '069a79f4-44e9-4726-a5be-fca90e38aaf5'],
    ['ip', '::ffff:192.0.2.1', '192.0.2.1'],
    ['name', 'ÄRGER', 'arger'],
    ['code', 'Summer', 'SUMMER'],
    ['email', 'Bob@x.org', 'bob@x.org'],
  ] as const)('accepts every spelling of the hint %s', (name, given, stored) => {
    const { requirements } = readQuery('1', '', { [name]: given })
    const { keys } = indexEntry('1', '7', { texts: [], ids: [], hints: { [name]: [stored] } })
    expect(keys).toEqual(requirements[0]?.keys)
  })
})

describe('keys', () => {
  it('differ between stores', () => {
    const of = (storeId: string) => indexEntry(storeId, '7', { texts: ['-'], ids: ['8'], hints: { code: ['x'] } }).keys
    expect(new Set([...of('1'), ...of('2')]).size).toBe(6)
  })

  it('leave out the own id of a record', () => {
    const { keys } = indexEntry('1', '7', { texts: [], ids: ['7', '8'], hints: { customer_id: ['7'] } })
    expect(keys).toHaveLength(1)
  })

  it('are int8 and do not collide in a large set', () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => `w${n}x`)
    const { keys } = indexEntry('1', '7', { texts: [], ids, hints: {} })
    expect(keys).toHaveLength(ids.length)
    for (const key of keys) expect(BigInt.asIntN(64, BigInt(key))).toBe(BigInt(key))
  })
})

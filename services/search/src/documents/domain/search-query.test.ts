import { describe, expect, it } from 'vitest'
import { indexEntry } from './document-index.ts'
import { readQuery } from './search-query.ts'

describe('a query', () => {
  it('that is blank restricts nothing', () => {
    expect(readQuery('1', ' ', { name: ' ', code: '' })).toMatchObject({
      folded: '',
      words: [],
      required: [],
      matchesNothing: false,
    })
  })

  it('of punctuation alone is looked up as a complete value', () => {
    const { words, required } = readQuery('1', '-_-', {})
    expect(words).toEqual([])
    expect(required).toHaveLength(1)
    expect(indexEntry('1', 'customer', { texts: ['-_-'], ids: [], hints: {} }).keys).toContain(required[0])
    expect(indexEntry('1', 'customer', { texts: ['-_+'], ids: [], hints: {} }).keys).not.toContain(required[0])
  })

  it('finds a word by all its parts, and an id and a typo by an alternative', () => {
    const { required, words } = readQuery('1', 'robin', {})
    const parts = words.flatMap((word) => word.parts)
    const alternatives = words.flatMap((word) => word.alternatives)
    const { keys } = indexEntry('1', 'customer', { texts: ['xrobinx'], ids: [], hints: {} })
    expect(required).toEqual([])
    expect(parts).toHaveLength(3)
    expect(keys).toEqual(expect.arrayContaining(parts))
    for (const record of [
      { texts: [], ids: ['Robin'], hints: {} },
      { texts: ['rubin'], ids: [], hints: {} },
    ]) {
      expect(indexEntry('1', 'customer', record).keys.some((key) => alternatives.includes(key))).toBe(true)
    }
  })

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

  it('with a malformed hint matches nothing', () => {
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
    const { required } = readQuery('1', '', { [name]: given })
    expect(indexEntry('1', 'customer', { texts: [], ids: [], hints: { [name]: [stored] } }).keys).toContain(required[0])
  })
})

describe('keys', () => {
  it('differ between stores', () => {
    const of = (storeId: string) =>
      indexEntry(storeId, 'customer', { texts: ['Robin Hood'], ids: ['7'], hints: { code: ['x'] } }).keys
    expect(new Set([...of('1'), ...of('2')]).size).toBe(of('1').length + of('2').length)
  })

  it('of two types differ in the key of the type', () => {
    const of = (type: 'ban' | 'coupon') => indexEntry('1', type, { texts: ['x'], ids: [], hints: {} }).keys
    const { typeKeys } = readQuery('1', 'x', {})
    expect(of('ban').filter((key) => !of('coupon').includes(key))).toEqual([typeKeys.ban])
  })

  it('are int8 and do not collide in a large set', () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n}x`)
    const keys = words.flatMap((word) => indexEntry('1', 'customer', { texts: [], ids: [word], hints: {} }).keys)
    expect(new Set(keys).size).toBe(words.length + 1)
    for (const key of keys) expect(BigInt.asIntN(64, BigInt(key))).toBe(BigInt(key))
  })
})

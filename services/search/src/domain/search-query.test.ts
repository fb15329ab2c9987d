import { describe, expect, it } from 'vitest'
import { indexParts } from './document-index.ts'
import { readQuery } from './search-query.ts'

describe('a query', () => {
  it('that is blank asks for nothing', () => {
    expect(readQuery('1', ' ', { name: ' ', code: '' })).toEqual({
      folded: '',
      words: [],
      required: [],
      isHopeless: false,
    })
  })

  it('of punctuation alone is looked up as a whole value', () => {
    const { words, required } = readQuery('1', '-_-', {})
    expect(words).toEqual([])
    expect(indexParts('1', { texts: ['-_-'], ids: [], hints: {} }).keys).toEqual(expect.arrayContaining([...required]))
  })

  it.each([
    ['x'.repeat(201), 'query'],
    [Array.from({ length: 21 }, (_, n) => n).join(' '), 'query'],
  ])('that is too long is refused: %s', (query, path) => {
    expect(() => readQuery('1', query, {})).toThrow(path)
  })

  it('with a hint that no value can have finds nothing', () => {
    expect(readQuery('1', '', { ip: 'home' }).isHopeless).toBe(true)
    expect(readQuery('1', '', { minecraft_uuid: '5' }).isHopeless).toBe(true)
  })

  it.each([
    ['minecraft_uuid', '069A79F444E94726A5BEFCA90E38AAF5', '069a79f4-44e9-4726-a5be-fca90e38aaf5'],
    ['ip', '::ffff:192.0.2.1', '192.0.2.1'],
    ['name', 'ÄRGER', 'arger'],
    ['code', 'Summer', 'SUMMER'],
    ['email', 'Bob@x.org', 'bob@x.org'],
  ] as const)('reads the hint %s in every way of writing it', (name, asked, held) => {
    const { required } = readQuery('1', '', { [name]: asked })
    expect(indexParts('1', { texts: [], ids: [], hints: { [name]: [held] } }).keys).toEqual(required)
  })
})

describe('keys', () => {
  it('of one store are never those of another', () => {
    const of = (storeId: string) =>
      indexParts(storeId, { texts: ['Robin Hood'], ids: ['7'], hints: { code: ['x'] } }).keys
    expect(new Set([...of('1'), ...of('2')]).size).toBe(of('1').length + of('2').length)
  })

  it('are int8, and none of a large set meet', () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n}x`)
    const keys = words.flatMap((word) => indexParts('1', { texts: [], ids: [word], hints: {} }).keys)
    expect(new Set(keys).size).toBe(words.length)
    for (const key of keys) expect(BigInt.asIntN(64, BigInt(key))).toBe(BigInt(key))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParameterForm, parseQuery } from './query.ts'

const known = new Map<string, ParameterForm>([
  ['search', 'one'],
  ['customer_id', 'repeated'],
  ['search_hints', 'map'],
])
const parse = (query: string) => parseQuery(query, known)

function violations(query: string): string[] {
  try {
    parse(query)
  } catch (error) {
    const { violations: found } = error as { violations: { path: string; validation: string }[] }
    return found.map(({ path, validation }) => `${path} ${validation}`)
  }
  throw new Error('the query was accepted')
}

describe('a query', () => {
  it.each([
    ['', {}],
    ['&&', {}],
    ['search=&customer_id=&search_hints[name]=', {}],
    ['search=&search=a', { search: 'a' }],
    ['search=a', { search: 'a' }],
    ['search', {}],
    ['search=a=b', { search: 'a=b' }],
    ['search=%C3%A4+b', { search: 'ä b' }],
    ['customer_id=1', { customer_id: ['1'] }],
    ['customer_id=1&search=x&customer_id=2', { customer_id: ['1', '2'], search: 'x' }],
    ['search_hints[name]=Robin&search_hints%5Bcode%5D=A', { search_hints: { name: 'Robin', code: 'A' } }],
    ['search_hints[constructor]=x', { search_hints: { constructor: 'x' } }],
  ])('parses %j', (query, expected) => {
    expect(parse(query)).toEqual(expected)
  })

  it.each([
    ['search=a&search=b', ['search type']],
    ['search[]=a', ['search[] enum']],
    ['search[a]=b', ['search[a] enum']],
    ['customer_id[]=1', ['customer_id[] enum']],
    ['customer_id[0]=1', ['customer_id[0] enum']],
    ['search_hints=x', ['search_hints format']],
    ['search_hints[]=x', ['search_hints[] format']],
    ['search_hints[a][b]=x', ['search_hints[a][b] format']],
    ['search_hints[a]b=x', ['search_hints[a]b format']],
    ['search_hints[a=x', ['search_hints[a format']],
    ['search_hints[a]=x&search_hints[a]=y', ['search_hints[a] type']],
    ['search_hints[__proto__]=x', ['search_hints[__proto__] format']],
    ['__proto__=x', ['__proto__ enum']],
    ['constructor=x&serach=y', ['constructor enum', 'serach enum']],
  ])('rejects %s', (query, expected) => {
    expect(violations(query)).toEqual(expected)
  })

  it('accepts at most 20 keys in one map', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, n) => `search_hints[h${n}]=x`).join('&')
    expect(Object.keys(parse(keys(20)).search_hints as object)).toHaveLength(20)
    expect(violations(keys(21))).toEqual(['search_hints max'])
  })

  it('fails only with a 400 and never changes a prototype', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'search=', 'search_hints[', 'customer_id'), (text, prefix) => {
        try {
          parse(prefix + text)
        } catch (error) {
          expect(['bad-request', 'validation-failed']).toContain((error as { code: string }).code)
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
    )
  })
})

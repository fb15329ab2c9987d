import { describe, expect, it } from 'vitest'
import { createPatternCache } from './pattern-cache.ts'

describe('the compiled patterns', () => {
  it('are kept, and those that were not asked for the longest make room', () => {
    const cache = createPatternCache(2)
    const [a, b] = [cache.get('a'), cache.get('b')]
    expect(cache.get('a')).toBe(a)
    cache.get('c')
    expect(cache.size).toBe(2)
    expect(cache.get('a')).toBe(a)
    expect(cache.get('b')).not.toBe(b)
  })

  it('answer for their own text', () => {
    const cache = createPatternCache(2)
    expect([cache.get('^a+$').fits('aa'), cache.get('^b$').fits('aa')]).toEqual([true, false])
  })

  it('cannot be of a text that no variable could have', () => {
    expect(() => createPatternCache(2).get('(')).toThrow('RE2')
  })
})

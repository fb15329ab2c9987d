import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'
import { createPatternCache } from './pattern-cache.ts'

const { size } = compilePattern('a')

describe('the pattern cache', () => {
  it('keeps compiled patterns and evicts the least recently used', () => {
    const cache = createPatternCache(2 * size)
    const [a, b] = [cache.get('a'), cache.get('b')]
    expect(cache.get('a')).toBe(a)
    cache.get('c')
    expect(cache.size).toBe(2)
    expect(cache.get('a')).toBe(a)
    expect(cache.get('b')).not.toBe(b)
  })

  it('counts a large pattern as many small ones', () => {
    const cache = createPatternCache(20 * size)
    for (const text of 'abcdefghij') cache.get(text)
    expect(cache.size).toBe(10)
    cache.get('x{200}')
    expect(cache.size).toBe(1)
  })

  it('returns the pattern of the text', () => {
    const cache = createPatternCache(100)
    expect([cache.get('^a+$').matches?.('aa'), cache.get('^b$').matches?.('aa')]).toEqual([true, false])
  })

  it('remembers that a pattern is invalid', () => {
    const cache = createPatternCache(100)
    expect(cache.get('(').problem).toContain('RE2')
    expect(cache.get('(')).toBe(cache.get('('))
  })
})

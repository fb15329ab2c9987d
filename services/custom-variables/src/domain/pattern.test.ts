import { describe, expect, it } from 'vitest'
import { maxProgramSize } from './limits.ts'
import { compilePattern } from './pattern.ts'

describe('a pattern', () => {
  it.each([
    ['', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^abc$', 'abc\n', false],
    ['(?i)ÄRGER', 'ärger', true],
    ['^.$', '🦊', true],
    ['\\d', '١', false],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['(?m)^b$', 'a\nb', true],
    ['^.{1,512}$', 'a'.repeat(512), true],
    ['^.{1,512}$', 'a'.repeat(513), false],
    ['^\\w{1,64}@\\w{1,255}$', `${'a'.repeat(64)}@${'b'.repeat(255)}`, true],
  ])('%j is searched for in %j: %j', (text, answer, expected) => {
    expect(compilePattern(text).matches?.(answer)).toBe(expected)
  })

  it.each([
    '^[A-Za-z0-9_-]{1,64}$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^([0-9A-F]{2}:){5}[0-9A-F]{2}$',
    '^.{1,255}$',
    '^\\S+@\\S+\\.\\S+$',
    '^76561[0-9]{12}$',
    '^\\+?[0-9 ()/-]{6,20}$',
    '.{1,1000}',
    '(a?){500}a{500}',
    '((a{10}){10}){10}',
    'a{1000}'.repeat(73),
    '\\pL{1000}'.repeat(56),
    `(?:${'ab'.repeat(40)}){1000}`,
  ])('that RE2 compiles is accepted: %s', (text) => {
    expect(compilePattern(text).problem).toBeUndefined()
  })

  it.each([
    ...['(', ')', '[', '*', 'a**', '\\', '\\1', '(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(?>a)', 'a++', '[z-a]', '(?P<n'],
    ...['\\pX', 'a{1001}', '(?:a{1000}){2}', '\\Z', '(?<n>a)\\k<n>', '[[:nonsense:]]', '(?(1)a|b)', '\\u0041', '(?#x)'],
  ])('that is not RE2 is rejected: %s', (text) => {
    expect(compilePattern(text).problem).toContain('RE2 syntax')
  })

  it('a pattern that exceeds the memory of RE2 is rejected', () => {
    const text = `(?:${'ab'.repeat(250)}){1000}`
    expect(500 * 1000).toBeGreaterThan(maxProgramSize)
    expect(compilePattern(text).problem).toContain('too large')
  })
})

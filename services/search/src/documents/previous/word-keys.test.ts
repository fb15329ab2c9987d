import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOneEditApart } from '../domain/edit-distance.ts'
import { mayHaveTypo } from '../domain/typos.ts'
import { documentWordKeys, queryWordKeys } from './word-keys.ts'

/** Looks a term up like the index does. */
function finds(term: string, word: string): boolean {
  const indexed = new Set(documentWordKeys(word).map(([kind, text]) => `${kind} ${text}`))
  const has = ([kind, text]: readonly [string, string]) => indexed.has(`${kind} ${text}`)
  const { parts, alternatives } = queryWordKeys(term)
  return (parts.length > 0 && parts.every(has) && word.includes(term)) || alternatives.some(has)
}

describe('a word is found by', () => {
  it.each([
    ['itself', 'robin', 'robin'],
    ['its first letter', 'r', 'robin'],
    ['its first two letters', 'ro', 'robin'],
    ['a longer start', 'robi', 'robin'],
    ['a part of three or more letters', 'obi', 'robin'],
    ['a replaced letter', 'rubin', 'robin'],
    ['an extra letter', 'robbin', 'robin'],
    ['a missing letter', 'rbin', 'robin'],
    ['a missing letter at its end', 'robi', 'robin'],
    ['two swapped letters', 'rboin', 'robin'],
    ['an emoji', '🦊', '🦊🦊'],
  ])('%s', (_what, term, word) => {
    expect(finds(term, word)).toBe(true)
  })

  it.each([
    ['two edits', 'rubn', 'robin'],
    ['a letter moved from one end to the other', 'obinr', 'robin'],
    ['a part of two letters', 'in', 'robin'],
    ['a typo in three letters', 'bab', 'bob'],
    ['a number that differs in one digit', '76561197960265730', '76561197960265729'],
  ])('not by %s', (_what, term, word) => {
    expect(finds(term, word)).toBe(false)
  })

  it('exactly the terms of the definition, for random words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '🦊'), minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(word, word, (term, indexed) => {
        const isPart = [...term].length >= 3 ? indexed.includes(term) : indexed.startsWith(term)
        const hasGaps = mayHaveTypo(indexed) || [...indexed].length < [...term].length
        const isTypo = mayHaveTypo(term) && hasGaps && isOneEditApart(term, indexed)
        expect(finds(term, indexed)).toBe(isPart || isTypo)
      }),
      { numRuns: 3000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOneTypoAway } from './typo.ts'
import { documentWordKeys, mayHaveTypo, queryWordKeys } from './word-keys.ts'

/** What the index does with its keys. */
function finds(asked: string, word: string): boolean {
  const indexed = new Set(documentWordKeys(word).map(([kind, text]) => `${kind} ${text}`))
  const has = ([kind, text]: readonly [string, string]) => indexed.has(`${kind} ${text}`)
  const { parts, alternatives } = queryWordKeys(asked)
  return (parts.length > 0 && parts.every(has) && word.includes(asked)) || alternatives.some(has)
}

describe('a word is found by', () => {
  it.each([
    ['itself', 'robin', 'robin'],
    ['its first letter', 'r', 'robin'],
    ['its first two letters', 'ro', 'robin'],
    ['a longer beginning', 'robi', 'robin'],
    ['a part of three letters and more', 'obi', 'robin'],
    ['another letter', 'rubin', 'robin'],
    ['a letter too many', 'robbin', 'robin'],
    ['a letter too few', 'rbin', 'robin'],
    ['a letter too few at its end', 'robi', 'robin'],
    ['two letters in the wrong order', 'rboin', 'robin'],
    ['an emoji', '🦊', '🦊🦊'],
  ])('%s', (_what, asked, word) => {
    expect(finds(asked, word)).toBe(true)
  })

  it.each([
    ['two edits', 'rubn', 'robin'],
    ['a letter that went from one end to the other', 'obinr', 'robin'],
    ['a part of two letters', 'in', 'robin'],
    ['a typo in three letters', 'bab', 'bob'],
    ['another number', '76561197960265730', '76561197960265729'],
  ])('not by %s', (_what, asked, word) => {
    expect(finds(asked, word)).toBe(false)
  })

  it('exactly what the definition says, whatever the words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '🦊'), minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(word, word, (asked, indexed) => {
        const isPart = [...asked].length >= 3 ? indexed.includes(asked) : indexed.startsWith(asked)
        const hasGaps = mayHaveTypo(indexed) || [...indexed].length < [...asked].length
        const isTypo = mayHaveTypo(asked) && hasGaps && isOneTypoAway(asked, indexed)
        expect(finds(asked, indexed)).toBe(isPart || isTypo)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('one typo', () => {
  it('is what one edit makes of a word', () => {
    const letter = fc.constantFrom<string>('a', 'b', 'c', '🦊')
    const letters = fc.array(letter, { maxLength: 6 })
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const edits = new Set<string>()
        for (let at = 0; at <= a.length; at += 1) {
          edits.add(a.toSpliced(at, 1).join(''))
          for (const other of ['a', 'b', 'c', '🦊']) {
            edits.add(a.toSpliced(at, 0, other).join(''))
            if (at < a.length) edits.add(a.toSpliced(at, 1, other).join(''))
          }
          const [first, second] = a.slice(at)
          if (first !== undefined && second !== undefined) edits.add(a.toSpliced(at, 2, second, first).join(''))
        }
        const same = a.join('') === b.join('')
        expect(isOneTypoAway(a.join(''), b.join(''))).toBe(!same && edits.has(b.join('')))
      }),
      { numRuns: 2000 },
    )
  })
})

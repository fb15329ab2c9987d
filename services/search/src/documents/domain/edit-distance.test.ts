import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOneEditApart } from './edit-distance.ts'

describe('isOneEditApart', () => {
  it('is true exactly for the results of one edit', () => {
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
        expect(isOneEditApart(a.join(''), b.join(''))).toBe(!same && edits.has(b.join('')))
      }),
      { numRuns: 2000 },
    )
  })
})

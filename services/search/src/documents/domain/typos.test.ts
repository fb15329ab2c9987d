import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unchangedParts } from './typos.ts'

it('one edit leaves a long start of a word, a long end, or a short start and a short end', () => {
  const letter = fc.constantFrom<string>('a', 'b', '🦊')
  const letters = fc.array(letter, { minLength: 4, maxLength: 32 })
  const edit = fc.record({ at: fc.nat(31), kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'), letter })
  fc.assert(
    fc.property(letters, edit, (word, { at: given, kind, letter: other }) => {
      const at = given % (kind === 'swap' ? word.length - 1 : word.length)
      const [first = '', second = ''] = word.slice(at)
      const edited = {
        insert: word.toSpliced(at, 0, other),
        delete: word.toSpliced(at, 1),
        replace: word.toSpliced(at, 1, other),
        swap: word.toSpliced(at, 2, second, first),
      }[kind]?.join('')
      const { longStart, longEnd, shortStart, shortEnd } = unchangedParts(word.join(''))
      expect(
        edited?.startsWith(longStart) ||
          edited?.endsWith(longEnd) ||
          (edited?.startsWith(shortStart) && edited?.endsWith(shortEnd)),
      ).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

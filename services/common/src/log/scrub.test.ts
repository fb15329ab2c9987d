import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scrubSecrets } from './scrub.ts'

it('a link token is removed wherever it is, and no other word', () => {
  const runs = fc.tuple(
    fc.constantFrom('a', 'z', '2', '7', '1', '8', '-', 'B', '_', '"'),
    fc.constantFrom(1, 6, 27, 28, 29),
  )
  fc.assert(
    fc.property(fc.array(runs, { maxLength: 8 }), (parts) => {
      const text = parts.map(([character, count]) => character.repeat(count)).join('')
      expect(scrubSecrets(text)).toBe(text.replace(/\b[a-z2-7]{28}\b/g, '[token removed]'))
    }),
    { numRuns: 500 },
  )
})

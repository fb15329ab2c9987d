import { caselessText } from '@storekeep/proto/conventions/caseless-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('caselessText', () => {
  it.each([
    ['sharp s', 'STRASSE', 'straße', 'STRAẞE'],
    ['the Turkish capital dotted I', 'İSTANBUL', 'i\u0307stanbul', 'I\u0307STANBUL'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['full-width letters', 'Notch_1', 'Ｎｏｔｃｈ＿１', 'ｎＯｔCH_1'],
    ['ligatures', 'OFFICE', 'oﬃce', 'oﬀice'],
    ['a zero-width joiner, space and non-joiner', 'Notch', 'No\u200Dtch', '\u200BNotch\u200C'],
    ['a soft hyphen', 'Notch', 'No\u00ADtch'],
    ['a byte order mark, a variation selector and a word joiner', 'Notch', '\uFEFFNo\uFE0Ftch\u2060'],
    ['an accent that is composed or not', 'ÄRGER', 'a\u0308rger'],
    ['accents in another order', 'ạ\u0302', 'a\u0302\u0323', 'Ậ'],
    ['an accent behind an invisible character', 'Ä', 'a\u200D\u0308'],
    ['mathematical letters and a long s', 'steve', '𝓢𝓽𝓮𝓿𝓮', 'ſteve'],
  ])('unites the spellings with %s', (_what, ...spellings) => {
    expect(new Set(spellings.map(caselessText)).size).toBe(1)
  })

  it.each([
    ['the dotless i and i', 'kır', 'kir'],
    ['Latin and Cyrillic a', 'a', 'а'],
    ['a letter and the same with an accent', 'a', 'ä'],
    ['words with and without a space', 'a b', 'ab'],
  ])('distinguishes %s', (_what, one, other) => {
    expect(caselessText(one)).not.toBe(caselessText(other))
  })

  it('leaves no case, compatibility form or invisible character of any code point, and folds its result to itself', () => {
    const affected = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
      /\p{Changes_When_NFKC_Casefolded}/u.test(character),
    )
    expect(affected.length).toBeGreaterThan(10_000)
    for (const character of affected) {
      const folded = caselessText(character)
      const forms = [folded, character.normalize('NFKC'), character.toLowerCase(), `\u200D${character}`]
      // The dotless i and i have the same upper case.
      if (character !== 'ı') forms.push(character.toUpperCase())
      for (const form of forms) {
        if (caselessText(form) !== folded)
          expect.fail(`U+${character.codePointAt(0)?.toString(16)}: ${JSON.stringify(form)}`)
      }
    }
  })

  it('folds the result of any text to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => caselessText(caselessText(text)) === caselessText(text)),
      { numRuns: 30 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { languageOf } from './language.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

const languages = Object.entries({ en, de, es, fr, ja, nl, pl, pt, ru, zh })

/** Each text with its values in place. */
function sayings(texts: Texts): string[] {
  return Object.values(texts).map((text) =>
    typeof text === 'string' ? text : Reflect.apply(text, undefined, ['«1»', '«2»', '«3»']),
  )
}

describe('the texts', () => {
  it.each(languages)('in %s say everything, with all values', (_code, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(en))
    const valuesIn = (all: string[]) => all.map((text) => [...text.matchAll(/«\d»/g)].map(String).sort())
    expect(valuesIn(sayings(texts))).toEqual(valuesIn(sayings(en)))
    expect(sayings(texts).filter((text) => text.trim() === '' || text.includes('undefined'))).toEqual([])
  })

  it.each(languages.filter(([code]) => code !== 'en'))('in %s are translated', (_code, texts) => {
    const same = sayings(texts).filter((text, index) => text.length > 13 && text === sayings(en)[index])
    expect(same).toEqual([])
  })

  it('in French have no space before a punctuation mark at which a line can break', () => {
    expect(sayings(fr).filter((text) => / [:;!?»]|«\s/.test(text))).toEqual([])
  })
})

describe('the language of a tag', () => {
  it.each([
    ['de-AT', 'de-AT', de],
    ['PT-br', 'PT-br', pt],
    ['zh-Hans-CN', 'zh-Hans-CN', zh],
    ['tr', 'en', en],
    ['constructor', 'en', en],
  ])('%s is formatted as %s', (tag, locale, texts) => {
    expect(languageOf(tag)).toMatchObject({ locale, texts })
  })

  it('decides how money, days and rates are written', () => {
    const { money, day, percent } = languageOf('de-AT')
    expect(money(900_719_925_474_099_301n, 'eur').replace(/\s/g, ' ')).toBe('€ 9.007.199.254.740.993,01')
    expect(money(500n, 'jpy')).toContain('500')
    expect(day(new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin')).toBe('21. November 2026')
    expect(percent(1_950).replace(/\s/g, ' ')).toBe('19,5 %')
  })
})

import { describe, expect, it } from 'vitest'
import { formatMoney } from './format.ts'
import { chooseLanguage, languageNames } from './language.ts'

describe('the language of a page', () => {
  it.each([
    [undefined, 'en', 'en'],
    ['', 'en', 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'de-AT'],
    ['ko, fr;q=0.5, es;q=0.7', 'es', 'es'],
    ['PT-BR', 'pt', 'PT-BR'],
    ['es-419,es;q=0.9,en;q=0.8', 'es', 'es-419'],
    ['es-MX', 'es', 'es-MX'],
    ['fr-CA;q=0.9, en;q=0.8', 'fr', 'fr-CA'],
    ['ar-Arab-EG, de-CH-1996-u-nu-arab;q=0.5', 'de', 'de-CH'],
    ['zh-Hans-CN', 'zh', 'zh-Hans-CN'],
    ['ko', 'en', 'en'],
    ['es-4199999999', 'en', 'en'],
    ['de;q=0, en;q=0.1', 'en', 'en'],
    ['toString, __proto__, constructor', 'en', 'en'],
    ['de_DE!, <script>', 'en', 'en'],
    [`${'x,'.repeat(10_000)}de`, 'en', 'en'],
  ])('follows Accept-Language %#', (accepted, code, locale) => {
    expect(chooseLanguage(accepted)).toMatchObject({ code, locale })
  })

  it.each([
    ['de-AT, en', 'en', 'en', 'en'],
    ['en, de-AT;q=0.5', 'de', 'de', 'de-AT'],
    ['en', 'xx', 'en', 'en'],
    ['en', 'toString', 'en', 'en'],
  ])('is what the shopper chose, with the region of the browser: %s, %s', (accepted, chosen, code, locale) => {
    expect(chooseLanguage(accepted, chosen)).toMatchObject({ code, locale })
  })

  it('can be chosen by its name', () => {
    expect(languageNames.map(([code]) => chooseLanguage(undefined, code).code)).toEqual(
      languageNames.map(([code]) => code),
    )
    expect(languageNames).toHaveLength(10)
  })

  it('has a text for everything', () => {
    const reference = Object.keys(chooseLanguage('en').texts).sort()
    for (const code of ['de', 'es', 'fr', 'pt', 'pl', 'nl', 'ru', 'zh', 'ja']) {
      const { texts } = chooseLanguage(code)
      expect(Object.keys(texts).sort()).toEqual(reference)
      expect(Object.values(texts)).not.toContain('')
    }
  })
})

function sayingsIn(text: unknown): string[] {
  if (typeof text === 'function') return [String(Reflect.apply(text, undefined, ['X', 'X']))]
  return typeof text === 'string' ? [text] : Object.values(text ?? {}).flatMap(sayingsIn)
}

describe('the French texts', () => {
  it('have no space before a punctuation mark at which a line can break', () => {
    const sayings = sayingsIn(chooseLanguage('fr').texts)
    expect(sayings.filter((text) => / [:;!?»]|«\s/.test(text))).toEqual([])
    expect(sayings).toContain('Merci pour votre commande\u00a0!')
  })
})

describe('the plural of a count', () => {
  it.each([
    ['pl', 1, 'co miesiąc'],
    ['pl', 3, 'co 3 miesiące'],
    ['pl', 12, 'co 12 miesięcy'],
    ['ru', 1, 'каждый месяц'],
    ['ru', 2, 'каждые 2 месяца'],
    ['ru', 6, 'каждые 6 месяцев'],
    ['ru', 21, 'каждый 21 месяц'],
  ])('follows the rules of the language: %s %i', (code, count, text) => {
    expect(chooseLanguage(code).texts.every.month(count)).toBe(text)
  })
})

describe('a locale of a page', () => {
  it.each(['es-419', 'de-a', 'de-12345678', 'pt-x-u-nu-arab'])('formats amounts: %s', (tag) => {
    expect(formatMoney(123456n, 'eur', chooseLanguage(tag))).toMatch(/1.?234.56/)
  })
})

describe('formatMoney', () => {
  it.each([
    [0n, 'eur', 'en', '€0.00'],
    [5n, 'usd', 'en', '$0.05'],
    [-1250n, 'usd', 'en', '-$12.50'],
    [123456n, 'eur', 'de', '1.234,56 €'],
    [500n, 'jpy', 'en', '¥500'],
    [1500n, 'kwd', 'en', 'KWD 1.500'],
    // Usually displayed without decimals, but charged in hundredths.
    [123456n, 'huf', 'en', 'HUF 1,234.56'],
    [150000n, 'IDR', 'en', 'IDR 1,500.00'],
    [900_719_925_474_099_301n, 'usd', 'en', '$9,007,199,254,740,993.01'],
  ])('formats %s %s exactly', (amount, currency, locale, text) => {
    expect(formatMoney(amount, currency, { locale }).replace(/\u00a0/g, ' ')).toBe(text)
  })
})

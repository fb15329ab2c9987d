import { currencyDigits, decimalAmount } from '@storekeep/proto/conventions/currency'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

const catalog = { en, de, es, pt, fr, pl, nl, ru, zh, ja }

/** The language of an email, and the region's conventions for money and dates. */
export interface Language {
  texts: Texts
  /** A BCP 47 tag: "de-AT". */
  locale: string
  /** Formats an amount of any size in minor units exactly. @param currency ISO 4217, in any case */
  money(amount: bigint, currency: string): string
  /** Formats the day of a time. @param timeZone an IANA name */
  day(time: Date, timeZone: string): string
  /** "19 %", from hundredths of a percent. */
  percent(rate: number): string
}

/** The language of a BCP 47 tag; English if there are no texts in that language. */
export function languageOf(tag: string): Language {
  const code = tag.split('-')[0]?.toLowerCase() ?? ''
  const isKnown = Object.hasOwn(catalog, code)
  const locale = isKnown ? tag : 'en'
  const texts = isKnown ? catalog[code as keyof typeof catalog] : en
  return {
    texts,
    locale,
    money(amount, currency) {
      const digits = currencyDigits(currency)
      const options = {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      } as const
      return new Intl.NumberFormat(locale, options).format(decimalAmount(amount, currency))
    },
    day: (time, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(time),
    percent: (rate) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000),
  }
}

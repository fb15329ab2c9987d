import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { BoundedMap } from '@storekeep/common/http'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { currencyDigits, decimalAmount } from '@storekeep/proto/conventions/currency'
import type { Language } from './language.ts'

/** Formats an amount of any size in minor units exactly. @param currency ISO 4217, in any case */
export function formatMoney(amount: bigint, currency: string, { locale }: Pick<Language, 'locale'>): string {
  const digits = currencyDigits(currency)
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return numberFormat(locale, options).format(decimalAmount(amount, currency))
}

/** Creating a format takes far longer than using it, and a page has hundreds of amounts. */
const formats = new BoundedMap<string, Intl.NumberFormat>(1000)

function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${options.currency}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

export function formatCount(count: number, { locale }: Pick<Language, 'locale'>): string {
  return numberFormat(locale).format(count)
}

/** Labeled UTC: the reader's time zone is unknown to the server. */
export function formatTime(time: Timestamp, { locale }: Pick<Language, 'locale'>): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(locale, options).format(timestampDate(time))} UTC`
}

export function formatDate(time: Timestamp | undefined, { locale }: Pick<Language, 'locale'>): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return time ? new Intl.DateTimeFormat(locale, options).format(timestampDate(time)) : ''
}

/** "Survival, Creative and Skyblock", or with "or" for a disjunction. */
export function formatList(
  parts: readonly string[],
  { locale }: Pick<Language, 'locale'>,
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(locale, { type }).format(parts)
}

/** @param rate in hundredths of a percent: 1,900 is 19 % */
export function formatRate(rate: number, { locale }: Pick<Language, 'locale'>): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000)
}

/** The codes and names of countries, by name. */
export function countryNames(locale: string, codes: ReadonlySet<string>): readonly [code: string, name: string][] {
  const known = namesByLocale.get(locale)
  if (known) return known
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const { compare } = new Intl.Collator(locale)
  const sorted = [...codes]
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => compare(a, b))
  namesByLocale.set(locale, sorted)
  return sorted
}

/** A page has more than 200 countries. */
const namesByLocale = new BoundedMap<string, readonly [string, string][]>(50)

/** The interval of a subscription: "every 3 months". */
export function formatEvery(
  { intervalValue, intervalScale }: { intervalValue: number; intervalScale: IntervalScale },
  { texts: { every } }: Pick<Language, 'texts'>,
): string {
  switch (intervalScale) {
    case IntervalScale.DAY:
      return every.day(intervalValue)
    case IntervalScale.WEEK:
      return every.week(intervalValue)
    case IntervalScale.YEAR:
      return every.year(intervalValue)
    default:
      return every.month(intervalValue)
  }
}

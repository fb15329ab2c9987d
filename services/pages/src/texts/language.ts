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

/** A language of the pages, and the region's conventions for money and dates. */
export interface Language {
  /** "de" */
  code: keyof typeof catalog
  /** As the browser prefers it: "de-AT". */
  locale: string
  texts: Texts
}

const catalog = { en, de, es, pt, fr, pl, nl, ru, zh, ja }

/** In the order in which the pages list them, by code. */
export const languageNames: readonly (readonly [code: Language['code'], name: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['nl', 'Nederlands'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['ru', 'Русский'],
  ['zh', '简体中文'],
  ['ja', '日本語'],
]

/**
 * The language that the shopper chose, or else the one of the first tag in `Accept-Language`, by weight, whose base language has
 * texts (RFC 4647, 3.4); otherwise English.
 * @param chosen a code, in any form. Its region is taken from the accepted languages.
 */
export function chooseLanguage(accepted: string | undefined, chosen?: string): Language {
  const tags = (accepted ?? '').slice(0, 500).split(',').slice(0, 20).map(readTag)
  const fixed = chosen !== undefined && isLanguageCode(chosen) ? chosen : undefined
  const wanted = tags.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const code = tag.split('-')[0]?.toLowerCase() ?? ''
    if (isLanguageCode(code) && code === (fixed ?? code)) return { code, locale: tag, texts: catalog[code] }
  }
  const code = fixed ?? 'en'
  return { code, locale: code, texts: catalog[code] }
}

function readTag(item: string): { tag: string; weight: number } {
  const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
  const [, tag] = tagPattern.exec(range) ?? []
  const isValid = tag !== undefined && /^[01](?:[.]\d{0,3})?$/.test(weight)
  return { tag: tag ?? '', weight: isValid ? Number(weight) : 0 }
}

/** Language, script and region, such as "es-419". Variants and extensions, which follow, change nothing on the pages (RFC 5646). */
const tagPattern = /^([a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)(?:-[a-z0-9]{1,8})*$/i

export function isLanguageCode(code: string): code is Language['code'] {
  return Object.hasOwn(catalog, code)
}

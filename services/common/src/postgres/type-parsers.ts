import pg from 'pg'

/**
 * Converts column values to JavaScript. int8 and numeric stay strings, because flake ids and money must never become
 * JavaScript numbers, and so does date. The other parsers differ from `pg` only in speed.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : textParsers.get(oid)
    return ours ?? pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

const { builtins } = pg.types
/** The type of bigint[], which `builtins` lacks. */
const int8Array: number = 1016
const textParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.DATE, keepText],
  [builtins.INT8, keepText],
  [int8Array, parseIds],
])

/**
 * Parses `2026-11-20 14:27:02.123456+00`, the format of sessions in UTC. The default parser handles all other formats: other
 * zones, years before 1 and after 9999, infinity. Truncates to milliseconds.
 */
export function parseTimestamp(text: string): unknown {
  const { length } = text
  // The year has four digits, and the zone follows the seconds or their fraction.
  const isUtc = text.charCodeAt(4) === hyphen && length >= 22 && text.endsWith('+00')
  if (!isUtc) return parseOtherTimestamp(text)
  const days = daysSince1970(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8))
  const minutes = (days * 24 + twoDigits(text, 11)) * 60 + twoDigits(text, 14)
  return new Date((minutes * 60 + twoDigits(text, 17)) * 1000 + milliseconds(text, length - 3))
}

/** The digits from position 20, up to three of them, as a fraction. */
function milliseconds(text: string, end: number): number {
  let value = 0
  for (let at = 20; at < 23; at += 1) value = value * 10 + (at < end ? text.charCodeAt(at) - zero : 0)
  return value
}

/** In the Gregorian calendar, whose leap days repeat every 400 years. Counts years from March, so that leap days are last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 719_469
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * zero
}

const parseOtherTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text')
const hyphen = 45
const zero = 48

/** Parses `{1,2}`. The default parser handles nulls and nested arrays. */
function parseIds(text: string): unknown {
  if (text === '{}') return []
  return /^[{][-0-9,]+[}]$/.test(text) ? text.slice(1, -1).split(',') : parseOtherIds(text)
}

const parseOtherIds = (pg.types as pg.CustomTypesConfig).getTypeParser(int8Array, 'text')

function keepText(text: string): string {
  return text
}

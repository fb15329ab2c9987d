import pg from 'pg'

/**
 * Converts column values to JavaScript. int8 and numeric stay strings, because flake ids and money must never become
 * JavaScript numbers, and so does date. The others differ from those of `pg` only in speed.
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
  [builtins.BOOL, (text) => text === 't'],
  [int8Array, parseIds],
])

/**
 * Parses `2026-11-20 14:27:02.123456+00`, the format of sessions in UTC. The default parser handles all other formats: other
 * zones, years before 1 and after 9999, infinity. Truncates to milliseconds.
 */
function parseTimestamp(text: string): Date {
  const { length } = text
  // The year has four digits, and the zone follows the seconds or their fraction.
  const isUtc = text.charCodeAt(4) === hyphen && length >= 22 && text.endsWith('+00')
  if (!isUtc) return parseOtherTimestamp(text)
  const day = text.slice(0, 10)
  if (day !== lastDay) {
    lastDayMs = Date.parse(`${day}T00:00:00Z`)
    lastDay = day
  }
  const seconds = (twoDigits(text, 11) * 60 + twoDigits(text, 14)) * 60 + twoDigits(text, 17)
  const fraction = length > 22 ? Number(text.slice(20, Math.min(23, length - 3)).padEnd(3, '0')) : 0
  return new Date(lastDayMs + seconds * 1000 + fraction)
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * zero
}

const parseOtherTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text')
const hyphen = 45
const zero = 48
/** The rows of a list are often of one day. */
let lastDay = ''
let lastDayMs = 0

/** Parses `{1,2}`. The default parser handles nulls and nested arrays. */
function parseIds(text: string): unknown {
  if (text === '{}') return []
  return /^[{][-0-9,]+[}]$/.test(text) ? text.slice(1, -1).split(',') : parseOtherIds(text)
}

const parseOtherIds = (pg.types as pg.CustomTypesConfig).getTypeParser(int8Array, 'text')

function keepText(text: string): string {
  return text
}

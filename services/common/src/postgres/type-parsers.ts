import pg from 'pg'

/**
 * Converts column values to JavaScript. Differs from the defaults of `pg` in timestamptz (faster) and date (stays text).
 * int8 and numeric stay strings, because flake ids and money must never become JavaScript numbers.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp
      if (oid === pg.types.builtins.DATE) return keepText
    }
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

/**
 * Parses `2026-11-20 14:27:02.123456+00`, the format of sessions in UTC, about five times faster than the default parser,
 * which handles all other formats (other zones, years after 9999, infinity). Truncates to milliseconds.
 */
function parseTimestamp(text: string): Date {
  const match = utcTimestamp.exec(text)
  if (!match) return pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')(text)
  const [, year, month, day, hour, minute, second, fraction] = match
  const milliseconds = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  return new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), milliseconds),
  )
}

const utcTimestamp = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/

function keepText(text: string): string {
  return text
}

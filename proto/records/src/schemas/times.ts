import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'
import { fails } from './fields.ts'

/** A time in a response: RFC 3339, UTC, milliseconds. */
export const dateTime = z.string().meta({ example: '2026-11-20T14:35:17.000Z', override: { format: 'date-time' } })

/**
 * A time in a request: RFC 3339 with seconds. Without an offset, as Python sends naive datetimes, it is in
 * UTC. Truncated to milliseconds.
 */
export const timeInput = z
  .string()
  .refine(
    (text) => parseTime(text) !== undefined,
    fails('format', 'must be an RFC 3339 time such as 2026-11-20T14:35:17Z'),
  )
  .transform((text) => parseTime(text) ?? new Date(0))
  .meta({ example: '2026-11-20T14:35:17.000Z', override: { type: 'string', format: 'date-time' } })

/** A time in a query. The page at /docs would prefill an example. */
export const timeQuery = timeInput.meta({ example: undefined, override: { type: 'string', format: 'date-time' } })

export function printTime(time: Timestamp): string
export function printTime(time: Timestamp | undefined): string | null
export function printTime(time: Timestamp | undefined): string | null {
  if (!time) return null
  const ms = timestampMs(time)
  const day = Math.floor(ms / dayMs)
  const ofDay = ms - day * dayMs
  const minutes = Math.floor(ofDay / 60_000)
  const hour = Math.floor(minutes / 60)
  return `${printDay(day)}${two(hour)}:${two(minutes - hour * 60)}:${thousandths(ofDay - minutes * 60_000)}Z`
}

/** @param day days since 1970-01-01 @returns the date and the letter T: "2026-11-20T" */
function printDay(day: number): string {
  const known = dayTexts.get(day)
  if (known !== undefined) return known
  const iso = new Date(day * dayMs).toISOString()
  const text = iso.slice(0, iso.indexOf('T') + 1)
  if (dayTexts.size === maxDays) dayTexts.clear()
  dayTexts.set(day, text)
  return text
}

/** Printing the day takes most of the time, and the records of a list share few days. */
const dayTexts = new Map<number, string>()
const maxDays = 1000
const dayMs = 86_400_000

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** Milliseconds as seconds with three decimals: "07.042". */
function thousandths(ms: number): string {
  const digits = String(100_000 + ms)
  return `${digits.slice(1, 3)}.${digits.slice(3)}`
}

/** Undefined for another format, a day that does not exist, and a year outside 0001 to 9999. */
function parseTime(text: string): Date | undefined {
  const [, day, offset] = timePattern.exec(text) ?? []
  if (day === undefined || !isDay(day)) return undefined
  // Without an offset, a Date would take it for local time.
  const time = new Date(offset === undefined ? `${text}Z` : text)
  return time >= earliest && time <= latest ? time : undefined
}

/** A Date silently turns February 30 into March 2. */
function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

const timePattern =
  /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/
const earliest = new Date('0001-01-01T00:00:00Z')
const latest = new Date('9999-12-31T23:59:59.999Z')

import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'

/** A time as answered: RFC 3339, UTC, milliseconds. */
export const dateTime = z.string().meta({ example: '2026-11-20T14:35:17.000Z', override: { format: 'date-time' } })

export function printTime(time: Timestamp): string
export function printTime(time: Timestamp | undefined): string | null
export function printTime(time: Timestamp | undefined): string | null {
  return time ? timestampDate(time).toISOString() : null
}

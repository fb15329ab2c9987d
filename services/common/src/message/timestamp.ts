import type { Timestamp } from '@bufbuild/protobuf/wkt'

/** Converts a date. Five times faster than the function of protobuf-es, which matters in lists. */
export function timestampFromDate(date: Date): Timestamp {
  const ms = date.getTime()
  const seconds = Math.floor(ms / 1000)
  return {
    $typeName: 'google.protobuf.Timestamp',
    seconds: BigInt(seconds),
    nanos: (ms - seconds * 1000) * 1_000_000,
  }
}

/** Converts a nullable date, for use with `present`. */
export function timestampOrAbsent(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date)
}

import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

/** Converts a nullable date, for use with `present`. */
export function timestampOrAbsent(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date)
}

import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

/** For `present`, which leaves it out then. */
export function timestampOrAbsent(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date)
}

import { isFault } from '@storekeep/common/errors'

/** For what was decided in the meantime, such as by a double click: the page shows the result. */
export function ignoreConflict(error: unknown): void {
  if (!isFault(error, 'conflict')) throw error
}

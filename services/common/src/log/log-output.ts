import { writeSync } from 'node:fs'

/**
 * Writes log lines to a file descriptor and never throws. A line that cannot be written, because the disk is full or the
 * reader of a pipe is gone, is dropped and counted: logging must not end the process, nor may lines pile up in memory.
 */
export function createLogOutput(fd: number): LogOutput {
  let dropped = 0
  let reported = 0
  let isInsideLine = false

  return {
    write(line) {
      // A disk that fills up in the middle of a line keeps its first part.
      let rest = Buffer.from(isInsideLine ? `\n${line}` : line)
      try {
        while (rest.length > 0) {
          const written = writeSync(fd, rest)
          rest = rest.subarray(written)
          isInsideLine = rest.length > 0
        }
        return true
      } catch {
        dropped += 1
        return false
      }
    },
    dropped: () => dropped,
    takeUnreported() {
      const count = dropped - reported
      reported = dropped
      return count
    },
  }
}

/** Where the loggers of this process write. */
export const standardOutput = createLogOutput(1)

export interface LogOutput {
  /** @returns false if the line was dropped */
  write(line: string): boolean
  /** The number of lines dropped so far. */
  dropped(): number
  /** The number of lines dropped since the previous call. */
  takeUnreported(): number
}

import { writeSync } from 'node:fs'

/**
 * Writes log lines to a file descriptor and never throws. Lines are gathered for up to 20 ms and written together; `flush`
 * writes them immediately, and so does the end of the process. Lines that cannot be written, because the disk is full or the
 * reader of a pipe is slow or gone, are dropped and counted: logging must not end the process, nor may lines pile up in
 * memory.
 */
export function createLogOutput(fd: number): LogOutput {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  let dropped = 0
  let reported = 0
  let isInsideLine = false
  let isFailing = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines === '') return
    // A disk that fills up in the middle of a line keeps its first part.
    const bytes = Buffer.from(isInsideLine ? `\n${lines}` : lines)
    const endsEarlierLine = isInsideLine
    lines = ''
    let offset = 0
    try {
      while (offset < bytes.length) {
        offset += writeSync(fd, bytes, offset)
        isInsideLine = bytes[offset - 1] !== newline
      }
      isFailing = false
    } catch {
      const unwritten = bytes.subarray(offset).filter((byte) => byte === newline).length
      dropped += unwritten - (endsEarlierLine && offset === 0 ? 1 : 0)
      isFailing = true
    }
  }
  process.on('exit', flush)

  return {
    write(line) {
      lines += line
      if (lines.length >= maxGathered) flush()
      else timer ??= setTimeout(flush, gatherMs).unref()
    },
    flush,
    dropped: () => dropped,
    takeUnreported() {
      if (isFailing) return 0
      const count = dropped - reported
      reported = dropped
      return count
    },
  }
}

const newline = 10
const gatherMs = 20
/** In characters. */
const maxGathered = 16 * 1024

/** Where the loggers of this process write. */
export const standardOutput = createLogOutput(1)

export interface LogOutput {
  /** Adds a line, which ends with a newline, to the lines that are written next. */
  write(line: string): void
  /** Writes the gathered lines. */
  flush(): void
  /** The number of lines dropped so far. */
  dropped(): number
  /** The number of lines dropped since the previous call, once lines can be written again; 0 before. */
  takeUnreported(): number
}

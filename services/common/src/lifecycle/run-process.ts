import closeWithGrace from 'close-with-grace'
import { ConfigError } from '../config/index.ts'
import type { Logger } from '../log/index.ts'

/** A started process. */
export interface Running {
  log: Logger
  /** Where it listens; for the log. */
  address: string
  /** How long `stop` may take, in milliseconds. */
  graceMs: number
  /** Fails readiness, rejects new work, finishes work in flight and closes connections, in this order. */
  stop(): Promise<void>
}

/**
 * Runs a process: starts it, logs where it listens, and stops it gracefully on SIGTERM or SIGINT. If the start fails,
 * prints one line to stderr and exits with code 1. Exits by force if stopping takes 5 s longer than the grace period.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  let running: Running
  try {
    running = await start()
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`)
    process.exit(1)
  }
  const { log, address, graceMs } = running
  log.info({ address }, 'listening')
  // Frees the memory of the start, a third of an idle process: V8 collects only when memory fills up. With `--expose-gc`.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  closeWithGrace({ delay: graceMs + 5000, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'stopping after an uncaught error')
    else log.info({ signal }, 'stopping')
    await running.stop()
    log.info('stopped')
    if (err) process.exitCode = 1
  })
}

/** Describes an error in one line, without a stack. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return `Start failed: ${String(error)}`
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `Start failed: ${error.message}${cause}`
}

import closeWithGrace from 'close-with-grace'
import { ConfigError } from '../config/index.ts'
import type { Logger } from '../log/index.ts'

/** What a started process gives back. */
export interface Running {
  log: Logger
  /** Where it listens, for the one line that says so. */
  address: string
  /** How long `stop` may take. */
  graceMs: number
  /** Readiness red, no new work, finish what is in flight, close connections; in this order. */
  stop(): Promise<void>
}

/**
 * Runs a process from start to end: starts it, says where it listens, and on SIGTERM or SIGINT stops it gracefully.
 * A wrong setting is one line on stderr and exit code 1; anything else that prevents the start is logged, exit
 * code 1. A stop that takes longer than the grace period plus 5 s is cut.
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
  closeWithGrace({ delay: graceMs + 5000, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'stopping after an error nobody caught')
    else log.info({ signal }, 'stopping')
    await running.stop()
    log.info('stopped')
    if (err) process.exitCode = 1
  })
}

/** In one line where it can be said in one: a wrong setting needs no stack. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return `The start failed: ${String(error)}`
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `The start failed: ${error.message}${cause}`
}

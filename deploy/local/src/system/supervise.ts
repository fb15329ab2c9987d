import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { type Exit, lastLines } from '../processes/child.ts'
import type { Scope } from '../run-command.ts'

/**
 * Keeps a program running: restarts it whenever it exits, each time after a longer pause, and prints one line about it.
 * A restart that fails counts as another exit. Returns when the command stops.
 *
 * @param firstDelayMs the first pause; doubles with each exit within a minute
 * @throws SetupError after five exits within a minute
 */
export async function supervise(
  program: Program,
  { stopping, progress }: SupervisorScope,
  firstDelayMs = 500,
): Promise<void> {
  let exits: number[] = []
  for (let isRunning = true; ; ) {
    const reason = isRunning ? describeExit(await program.current.exited) : 'failed to start again'
    if (stopping.aborted) return
    const now = performance.now()
    exits = [...exits.filter((at) => now - at < windowMs), now]
    const { logFile } = program.current
    if (exits.length === maxExits) {
      const text = `${program.name} ${reason}, ${maxExits} times within a minute; stopping everything. Its log: ${logFile}`
      throw new SetupError(text, lastLines({ logFile }))
    }
    const delayMs = firstDelayMs * 2 ** (exits.length - 1)
    progress.notice(`${program.name} ${reason}; restarting it in ${delayMs / 1000} s. Its log: ${logFile}`)
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted) return
    isRunning = await program.restart().then(
      () => true,
      () => false,
    )
  }
}

const maxExits = 5
const windowMs = 60_000

function describeExit({ code, signal }: Exit): string {
  return `exited (${signal ?? `code ${code}`})`
}

/** A program of the system that can be restarted. */
export interface Program {
  readonly name: string
  /** The latest process. */
  readonly current: { logFile: string; exited: Promise<Exit> }
  /** Starts it again on the same ports and data, and waits until it is ready. */
  restart(): Promise<void>
}

type SupervisorScope = Pick<Scope, 'stopping'> & { progress: Pick<Scope['progress'], 'notice'> }

import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { type Child, type Exit, lastLines } from '../processes/child.ts'
import type { Scope } from '../run-command.ts'

/**
 * Keeps a program running: restarts it whenever it exits, each time after a longer pause, and prints one line about it.
 * A restart that fails counts as another exit. A program that stops responding is killed first. Returns when the command
 * stops.
 *
 * @param pace.firstDelayMs the first pause; doubles with each exit within a minute
 * @param pace.checkMs how often the program is checked; the third failure in a row ends it
 * @throws SetupError after five exits within a minute
 */
export async function supervise(
  program: Program,
  { stopping, progress }: SupervisorScope,
  { firstDelayMs, checkMs }: Pace = { firstDelayMs: 500, checkMs: 5_000 },
): Promise<void> {
  let exits: number[] = []
  for (let isRunning = true; ; ) {
    const reason = isRunning ? describeExit(await exitOf(program, stopping, checkMs)) : 'failed to start again'
    if (stopping.aborted) return
    const { logFile } = program.current
    const now = performance.now()
    exits = [...exits.filter((at) => now - at < windowMs), now]
    if (exits.length === maxExits) {
      const text = `${program.name} ${reason}, ${maxExits} times within a minute; stopping everything. Its log: ${logFile}`
      throw new SetupError(text, lastLines({ logFile }))
    }
    const delayMs = firstDelayMs * 2 ** (exits.length - 1)
    progress.notice(`${program.name} ${reason}; restarting it in ${delayMs / 1000} s. Its log: ${logFile}`)
    await pause(delayMs, stopping)
    if (stopping.aborted) return
    isRunning = await program.restart().then(
      () => true,
      () => false,
    )
  }
}

const maxExits = 5
const windowMs = 60_000

async function exitOf({ current, check }: Program, stopping: AbortSignal, checkMs: number): Promise<Exit> {
  const ended = new AbortController()
  const exit = current.exited.finally(() => ended.abort())
  const isOver = AbortSignal.any([stopping, ended.signal])
  for (let failures = 0; check && failures < maxFailedChecks; ) {
    await pause(checkMs, isOver)
    if (isOver.aborted) break
    failures = await check().then(
      () => 0,
      () => failures + 1,
    )
    if (failures === maxFailedChecks) current.kill('SIGKILL')
  }
  return exit
}

const maxFailedChecks = 3

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined)
}

function describeExit({ code, signal }: Exit): string {
  return `exited (${signal ?? `code ${code}`})`
}

/** A program of the system that can be restarted. */
export interface Program {
  readonly name: string
  /** The current process. */
  readonly current: Pick<Child, 'logFile' | 'exited' | 'kill'>
  /** Starts it again on the same ports and data, and waits until it is ready. */
  restart(): Promise<void>
  /** Fails if the program does not respond. Default: only its exit matters. */
  check?: () => Promise<void>
}

interface Pace {
  firstDelayMs: number
  checkMs: number
}

type SupervisorScope = Pick<Scope, 'stopping'> & { progress: Pick<Scope['progress'], 'notice'> }

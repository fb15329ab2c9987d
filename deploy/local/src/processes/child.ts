import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { guardChild } from './guard.ts'

/** Starts a program in a separate process group, which Ctrl-C in the terminal does not reach, and logs to a file. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, logFile, stopSignal = 'SIGTERM', stopTimeoutMs = 10_000 } = options
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a', 0o600)
  const process = spawn(command, args, {
    ...options.spawn,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = exitOf(process)
  guardChild(process, stopSignal)
  await new Promise<void>((resolve, reject) => {
    process.once('spawn', resolve)
    process.once('error', (cause) => reject(new SetupError(`Cannot start ${name}: ${cause.message}`)))
  })
  const pid = process.pid ?? 0

  function hasExited(): boolean {
    return process.exitCode !== null || process.signalCode !== null
  }

  function kill(signal: NodeJS.Signals): void {
    if (!hasExited()) process.kill(signal)
  }

  async function stop(): Promise<void> {
    if (hasExited()) return
    kill('SIGCONT')
    kill(stopSignal)
    const late = setTimeout(() => kill('SIGKILL'), stopTimeoutMs)
    await exited
    clearTimeout(late)
  }

  return { name, pid, logFile, exited, hasExited, kill, stop }
}

/**
 * Retries `probe` until it succeeds.
 * @throws SetupError with the last lines of the log when the program exits or the time is up; the default is long
 *   enough for a busy machine
 */
export async function waitUntilReady(child: Child, probe: () => Promise<unknown>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    if (child.hasExited()) {
      throw new SetupError(`${child.name} exited during its start; its log is ${child.logFile}`, lastLines(child))
    }
    try {
      await probe()
      return
    } catch (cause) {
      if (performance.now() < deadline) {
        await Promise.race([sleep(pauseMs), child.exited])
        continue
      }
      await child.stop()
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new SetupError(
        `${child.name} was not ready after ${timeoutMs / 1000} s (${reason}); its log is ${child.logFile}`,
        lastLines(child),
      )
    }
  }
}

/** The last lines of a log, without stack traces, which would displace the error message. */
export function lastLines({ logFile }: { logFile: string }, count = 12): string[] {
  try {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).slice(-count)
  } catch {
    return []
  }
}

function exitOf(process: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    process.once('exit', (code, signal) => resolve({ code, signal }))
    process.once('error', () => resolve({ code: null, signal: null }))
  })
}

export interface ChildOptions {
  /** Display name, such as "Postgres" or "stores". */
  name: string
  command: string
  args: readonly string[]
  logFile: string
  stopSignal?: NodeJS.Signals
  /** Time between the stop signal and SIGKILL. */
  stopTimeoutMs?: number
  spawn?: { env?: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number }
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Child {
  readonly name: string
  readonly pid: number
  readonly logFile: string
  /** Resolves when the program has exited. */
  readonly exited: Promise<Exit>
  hasExited(): boolean
  /** Sends a signal, unless the program has exited. */
  kill(signal: NodeJS.Signals): void
  /** Sends the stop signal, then SIGKILL after `stopTimeoutMs`, and waits for the exit. */
  stop(): Promise<void>
}

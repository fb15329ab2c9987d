import { createProgress } from '../bootstrap/progress.mjs'
import { SetupError } from '../bootstrap/setup-error.mjs'

/**
 * Runs a command and exits with the code that `work` returns. The steps registered with `onEnd` run in reverse order
 * when it returns, fails or is stopped (Ctrl-C, SIGTERM, or the death of the parent process). A SetupError is printed
 * without a stack.
 */
export async function runCommand(work: (scope: Scope) => Promise<number>, options: CommandOptions = {}): Promise<void> {
  const stopping = new AbortController()
  const cleanup: (() => void | Promise<void>)[] = []
  const scope: Scope = {
    progress: createProgress({ quiet: options.quiet ?? false }),
    stopping: stopping.signal,
    onEnd: (step) => void cleanup.unshift(step),
  }
  listenForStop(stopping)
  let code: number
  try {
    code = await Promise.race([work(scope), stopped(stopping.signal, options.codeWhenStopped ?? 130)])
  } catch (cause) {
    scope.progress.close()
    code = stopping.signal.aborted ? (options.codeWhenStopped ?? 130) : report(cause)
  }
  scope.progress.close()
  stopping.abort()
  for (const step of cleanup) await Promise.resolve(step()).catch((cause: unknown) => console.error(messageOf(cause)))
  process.exit(code)
}

function listenForStop(stopping: AbortController): void {
  let first = 0
  function stop(): void {
    // A second Ctrl-C exits immediately; npm may forward the first one twice.
    if (first > 0 && performance.now() - first > 700) process.exit(130)
    first ||= performance.now()
    stopping.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
  process.channel?.unref()
}

function stopped(signal: AbortSignal, code: number): Promise<number> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(code), { once: true }))
}

function report(cause: unknown): number {
  console.error(`\n${messageOf(cause)}`)
  if (cause instanceof SetupError) for (const line of cause.logLines) console.error(`  | ${line}`)
  else if (cause instanceof Error && cause.stack && process.env.DEBUG) console.error(cause.stack)
  return 1
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

interface CommandOptions {
  quiet?: boolean
  /** Exit code after a stop signal; 0 for commands that normally end with Ctrl-C. */
  codeWhenStopped?: number
}

export interface Scope {
  progress: ReturnType<typeof createProgress>
  /** Aborted when the command must stop. */
  stopping: AbortSignal
  /** Registers a cleanup step. */
  onEnd(step: () => void | Promise<void>): void
}

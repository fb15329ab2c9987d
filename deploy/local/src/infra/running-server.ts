import type { Child, Exit } from '../processes/child.ts'

export function toRunningServer(url: string, port: number, child: Child): RunningServer {
  const { pid, logFile, exited, kill, stop } = child
  return { url, port, pid, logFile, exited, kill, stop }
}

/** The password of every component on the servers of tests. */
export const testPassword = 'test-password'

/** The URL of a server as a user of it. */
export function urlOfUser(url: string, user: string, password = testPassword): string {
  const own = new URL(url)
  own.username = user
  own.password = password
  return own.href
}

/** A started server. Starting it again with the same port and folder continues with its data. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly logFile: string
  /** Resolves when the server has exited. */
  readonly exited: Promise<Exit>
  /** Stops gracefully, even while paused by SIGSTOP. */
  stop(): Promise<void>
  /** For fault tests: SIGKILL, SIGSTOP, SIGCONT. */
  kill(signal: NodeJS.Signals): void
}

import { connect } from 'node:net'
import type { Child } from '../processes/child.ts'

export function toRunningServer(url: string, port: number, child: Child): RunningServer {
  const { pid, logFile, exited, kill, stop } = child
  return { url, port, pid, logFile, exited: exited.then(() => undefined), kill, stop }
}

/** Connects, sends `request` and expects the answer to match; for probes of servers that speak in lines. */
export function expectAnswer(port: number, request: string, expected: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let answer = ''
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')))
    socket.once('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (!expected.test(answer)) return
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('connection closed')))
  })
}

/** A server of our own: stop it, or break it on purpose. Starting again on the same port and folder continues it. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly logFile: string
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<void>
  /** An orderly stop; also works on a server paused by SIGSTOP. */
  stop(): Promise<void>
  /** For fault tests: SIGKILL, SIGSTOP, SIGCONT. */
  kill(signal: NodeJS.Signals): void
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { expectResponse, type RunningServer, toRunningServer } from './running-server.ts'

/** Starts NATS with JetStream on the loopback interface, with its streams in `dataDir`. */
export async function startNats(options: NatsOptions): Promise<RunningServer> {
  const { dataDir } = options
  const port = await choosePort('NATS', options.port)
  const logFile = options.logFile ?? join(dataDir, 'nats.log')
  mkdirSync(dataDir, { recursive: true })
  const source = await findServer('nats-server')
  const child =
    source.kind === 'docker'
      ? await startInDocker({ name: 'NATS', service: 'nats-server', port, directory: dataDir, logFile })
      : await startChild({
          name: 'NATS',
          command: source.command,
          args: ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', dataDir],
          logFile,
          spawn: { env: { ...process.env, ...source.env } },
        })
  await waitUntilReady(child, () => checkJetStream(port))
  return toRunningServer(`nats://127.0.0.1:${port}`, port, child)
}

/** Fails unless JetStream responds; a server whose disk was full keeps its port open without it. */
export function checkJetStream(port: number): Promise<void> {
  const inbox = '_INBOX.check'
  const request = `CONNECT {"verbose":false}\r\nSUB ${inbox} 1\r\nPUB $JS.API.INFO ${inbox} 0\r\n\r\n`
  return expectResponse(port, request, /"type":"io\.nats\.jetstream\.api\.v1\.account_info_response","(?!error)/)
}

export interface NatsOptions {
  dataDir: string
  /** Default: a free port. */
  port?: number | undefined
  /** Default: nats.log in `dataDir`. */
  logFile?: string | undefined
}

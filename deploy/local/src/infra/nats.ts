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
  await waitUntilReady(child, () => expectResponse(port, 'PING\r\n', /"jetstream":true[\s\S]*PONG\r\n/))
  return toRunningServer(`nats://127.0.0.1:${port}`, port, child)
}

export interface NatsOptions {
  dataDir: string
  /** Default: a free port. */
  port?: number | undefined
  /** Default: nats.log in `dataDir`. */
  logFile?: string | undefined
}

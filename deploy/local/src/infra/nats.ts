import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { expectAnswer, type RunningServer, toRunningServer } from './running-server.ts'

/** A NATS server with JetStream, on the loopback interface, its streams kept in `dataDir`. */
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
  await waitUntilReady(child, () => expectAnswer(port, 'PING\r\n', /"jetstream":true[\s\S]*PONG\r\n/))
  return toRunningServer(`nats://127.0.0.1:${port}`, port, child)
}

export interface NatsOptions {
  dataDir: string
  /** A free one by default. */
  port?: number | undefined
  /** nats.log in `dataDir` by default. */
  logFile?: string | undefined
}

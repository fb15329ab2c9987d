import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { expectResponse, type RunningServer, toRunningServer } from './running-server.ts'

/** Starts Redis on the loopback interface, without persistence. */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  const { dir } = options
  const port = await choosePort('Redis', options.port)
  const logFile = options.logFile ?? join(dir, 'redis.log')
  mkdirSync(dir, { recursive: true })
  const source = await findServer('redis-server')
  const child =
    source.kind === 'docker'
      ? await startInDocker({ name: 'Redis', service: 'redis-server', port, directory: dir, logFile })
      : await startChild({
          name: 'Redis',
          command: source.command,
          args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'no'],
          logFile,
          spawn: { env: { ...process.env, ...source.env } },
        })
  await waitUntilReady(child, () => expectResponse(port, 'PING\r\n', /\+PONG\r\n/))
  return toRunningServer(`redis://127.0.0.1:${port}`, port, child)
}

export interface RedisOptions {
  /** Working directory. */
  dir: string
  /** Default: a free port. */
  port?: number | undefined
  /** Default: redis.log in `dir`. */
  logFile?: string | undefined
}

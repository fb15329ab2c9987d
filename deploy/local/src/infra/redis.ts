import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { expectAnswer, type RunningServer, toRunningServer } from './running-server.ts'

/** A Redis server on the loopback interface. It keeps nothing on disk: whatever is in Redis may be lost at any time. */
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
  await waitUntilReady(child, () => expectAnswer(port, 'PING\r\n', /\+PONG\r\n/))
  return toRunningServer(`redis://127.0.0.1:${port}`, port, child)
}

export interface RedisOptions {
  /** Working folder. */
  dir: string
  /** A free one by default. */
  port?: number | undefined
  /** redis.log in `dir` by default. */
  logFile?: string | undefined
}

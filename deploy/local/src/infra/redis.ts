import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { redisUsers } from '../../../rights.ts'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { converse } from './converse.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { type RunningServer, testPassword, toRunningServer } from './running-server.ts'

/** Starts Redis with the given users on the loopback interface, without persistence. */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  const { dir, passwordOf, args = [] } = options
  const port = await choosePort('Redis', options.port)
  const logFile = options.logFile ?? join(dir, 'redis.log')
  mkdirSync(dir, { recursive: true })
  const source = await findServer('redis-server')
  if (source.kind === 'docker' && args.length > 0) throw new SetupError('Put redis-server on the PATH for these tests.')
  const usersFile = join(dir, 'users.acl')
  const users = passwordOf
    ? redisUsers((user) => `>${passwordOf(user)}`)
    : redisUsers(() => `>${testPassword}`, { prefix: '*', anonymous: '~* &* +@all' })
  writeFileSync(usersFile, users, { mode: 0o600 })
  const child =
    source.kind === 'docker'
      ? await startInDocker({ name: 'Redis', service: 'redis-server', port, directory: dir, logFile })
      : await startChild({
          name: 'Redis',
          command: source.command,
          args: [
            ...['--bind', '127.0.0.1', '--port', String(port), '--dir', dir],
            ...['--save', '', '--appendonly', 'no', '--aclfile', usersFile],
            ...args,
          ],
          logFile,
          spawn: { env: { ...process.env, ...source.env } },
        })
  await waitUntilReady(child, () => converse({ port }, 'PING\r\n', /\+PONG\r\n/))
  return toRunningServer(`redis://127.0.0.1:${port}`, port, child)
}

export interface RedisOptions {
  /** Working directory. */
  dir: string
  /**
   * The passwords of the components, which have the rights of deploy/rights.ts; without a user, a connection may only PING.
   * Default, for tests: `testPassword`, rights for keys of any prefix, and all rights without a user.
   */
  passwordOf?: ((component: string) => string) | undefined
  /** Additional command-line options. Not used in Docker. */
  args?: readonly string[] | undefined
  /** Default: a free port. */
  port?: number | undefined
  /** Default: redis.log in `dir`. */
  logFile?: string | undefined
}

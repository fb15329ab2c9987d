import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  converse,
  findServer,
  freePort,
  type RunningServer,
  testPassword,
  toRunningServer,
} from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'

/**
 * Starts a sentinel on the loopback interface. Its user `reader` with `testPassword` may look up the master and nothing else.
 */
export async function startRedisSentinel(options: SentinelOptions): Promise<RunningServer> {
  const { dir, name, masterPort, quorum, downAfterMs, settings = [] } = options
  const source = await findServer('redis-server')
  if (source.kind === 'docker') throw new Error('A test of Redis Sentinel needs redis-server on the PATH.')
  const port = await freePort()
  const configFile = join(dir, 'sentinel.conf')
  const config = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `user reader on >${testPassword} -@all +auth +hello +ping +sentinel|master`,
    `sentinel monitor ${name} 127.0.0.1 ${masterPort} ${quorum}`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 5000`,
    ...settings,
  ]
  mkdirSync(dir, { recursive: true })
  writeFileSync(configFile, `${config.join('\n')}\n`, { mode: 0o600 })
  const child = await startChild({
    name: 'Redis Sentinel',
    command: source.command,
    args: [configFile, '--sentinel'],
    logFile: join(dir, 'sentinel.log'),
    spawn: { env: { ...process.env, ...source.env } },
  })
  await waitUntilReady(child, () => converse({ port }, 'PING\r\n', /\+PONG\r\n/))
  return toRunningServer(`redis://127.0.0.1:${port}`, port, child)
}

interface SentinelOptions {
  dir: string
  /** The name of the master. */
  name: string
  masterPort: number
  /** How many sentinels must agree that the master does not respond. */
  quorum: number
  /** How long the master does not respond before a replica is promoted. */
  downAfterMs: number
  /** Additional lines of its configuration. */
  settings?: readonly string[]
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsAccounts } from '../../../rights.ts'
import { startChild, waitUntilReady } from '../processes/child.ts'
import { converse } from './converse.ts'
import { startInDocker } from './docker.ts'
import { choosePort } from './ports.ts'
import { findServer } from './programs.ts'
import { type RunningServer, testPassword, toRunningServer } from './running-server.ts'

/** Starts NATS with JetStream and the given users on the loopback interface, with its streams in `dataDir`. */
export async function startNats(options: NatsOptions): Promise<RunningServer> {
  const { dataDir, passwordOf, config } = options
  const port = await choosePort('NATS', options.port)
  const logFile = options.logFile ?? join(dataDir, 'nats.log')
  mkdirSync(dataDir, { recursive: true })
  const source = await findServer('nats-server')
  writeFileSync(join(dataDir, configFile), config ?? natsConfig(passwordOf), { mode: 0o600 })
  const child =
    source.kind === 'docker'
      ? await startInDocker({ name: 'NATS', service: 'nats-server', port, directory: dataDir, logFile })
      : await startChild({
          name: 'NATS',
          command: source.command,
          args: [
            ...['--addr', '127.0.0.1', '--port', String(port)],
            ...['--jetstream', '--store_dir', dataDir, '--config', join(dataDir, configFile)],
          ],
          logFile,
          spawn: { env: { ...process.env, ...source.env } },
        })
  // Other configurations may reject connections without credentials.
  await waitUntilReady(child, () => (config === undefined ? checkJetStream(port) : converse({ port }, '', /^INFO \{/)))
  return toRunningServer(`nats://127.0.0.1:${port}`, port, child)
}

const configFile = 'nats.conf'

/** Connections without a user may only check JetStream, or, in tests, do everything. */
function natsConfig(passwordOf: NatsOptions['passwordOf']): string {
  const check = { publish: ['$JS.API.INFO'], subscribe: [checkInbox] }
  const accounts = passwordOf
    ? natsAccounts((user) => JSON.stringify(user === anonymous ? anonymous : passwordOf(user)), {
        others: [{ user: anonymous, rights: check }],
      })
    : natsAccounts(() => JSON.stringify(testPassword), {
        names: { stream: '*', prefix: '*' },
        others: [{ user: anonymous }],
      })
  return `${accounts}no_auth_user: ${anonymous}\n`
}

const anonymous = 'anonymous'
const checkInbox = '_INBOX.check'

/** Fails unless JetStream responds; a server whose disk was full keeps its port open without it. */
export async function checkJetStream(port: number): Promise<void> {
  const request = `CONNECT {"verbose":false}\r\nSUB ${checkInbox} 1\r\nPUB $JS.API.INFO ${checkInbox} 0\r\n\r\n`
  await converse({ port }, request, /"type":"io\.nats\.jetstream\.api\.v1\.account_info_response","(?!error)/)
}

export interface NatsOptions {
  dataDir: string
  /**
   * The passwords of the services, which have the rights of deploy/rights.ts. Default, for tests: `testPassword`, rights for
   * streams of any name, and all rights without a user.
   */
  passwordOf?: ((service: string) => string) | undefined
  /** The text of the configuration file. Default: generated from these users. */
  config?: string | undefined
  /** Default: a free port. */
  port?: number | undefined
  /** Default: nats.log in `dataDir`. */
  logFile?: string | undefined
}

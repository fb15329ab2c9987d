import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { formatHosts, parseDatabaseUrl } from '@storekeep/common/config'
import { withClient } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'

// Each check fails with one line that names the setting and the host, without user and password.

export async function checkPostgres(setting: string, url: string): Promise<void> {
  try {
    const version = await serverVersion(url)
    if (version < 150_000)
      throw new Error(`version ${Math.floor(version / 10_000)} is too old; Storekeep needs 15 or later`)
  } catch (cause) {
    throw unusable(setting, formatHosts(parseDatabaseUrl(url)), 'Postgres', cause)
  }
}

async function serverVersion(url: string): Promise<number> {
  return await withClient({ url, connectMs: 5_000, statementMs: 5_000 }, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    return rows[0]?.version ?? 0
  })
}

/** Waits until Postgres accepts connections, or the timeout: a service that starts while Postgres recovers exits. */
export async function waitForPostgres(url: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const failure = await checkPostgres('DATABASE_URL', url).catch((cause: unknown) => ({ cause }))
    if (failure === undefined || performance.now() > deadline) return
    await sleep(250)
  }
}

export async function checkNats(setting: string, url: string): Promise<void> {
  try {
    const info = await converse(url, 4222, '', /INFO \{.*\} *\r\n/)
    if (!info.includes('"jetstream":true')) throw new Error('JetStream is disabled; start the server with --jetstream')
  } catch (cause) {
    throw unusable(setting, new URL(url).host, 'NATS server', cause)
  }
}

export async function checkRedis(setting: string, url: string): Promise<void> {
  const { username, password } = new URL(url)
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  const login = credentials.length > 0 ? toRequest(['AUTH', ...credentials]) : ''
  try {
    const response = await converse(url, 6379, `${login}${toRequest(['PING'])}`, /\+PONG\r\n|-.*\r\n/)
    const error = /^-(.*)\r$/m.exec(response)?.[1]
    if (error) throw new Error(`it returned "${error}"`)
  } catch (cause) {
    throw unusable(setting, new URL(url).host, 'Redis', cause)
  }
}

/** Sends the request and returns the response once it matches. */
function converse(url: string, defaultPort: number, request: string, expected: RegExp): Promise<string> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: Number(port) || defaultPort }
  return new Promise((resolve, reject) => {
    const socket: Socket = protocol === 'rediss:' ? connectTls({ ...target, servername: host }) : connectPlain(target)
    let response = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no response within 5 s')))
    socket.on('data', (chunk) => {
      response += chunk.toString('utf8')
      if (!expected.test(response)) return
      socket.destroy()
      resolve(response)
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed without a response')))
    if (request !== '') socket.write(request)
  })
}

function toRequest(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

function unusable(setting: string, host: string, what: string, cause: unknown): SetupError {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause
  const text = reason instanceof Error ? reason.message : String(reason)
  return new SetupError(`${setting}: cannot use the ${what} at ${host || 'the default address'} (${text}).`)
}

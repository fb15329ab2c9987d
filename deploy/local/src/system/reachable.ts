import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import pg from 'pg'
import { SetupError } from '../../bootstrap/setup-error.mjs'

/** Each fails with one line that names the setting; addresses are printed without user and password. */

export async function checkPostgres(setting: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    const version = rows[0]?.version ?? 0
    if (version < 150_000) throw new Error(`it is version ${Math.floor(version / 10_000)}, and 15 or later is needed`)
  } catch (cause) {
    throw unusable(setting, url, 'Postgres', cause)
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function checkNats(setting: string, url: string): Promise<void> {
  try {
    const info = await converse(url, 4222, '', /INFO \{.*\} *\r\n/)
    if (!info.includes('"jetstream":true')) throw new Error('JetStream is not switched on')
  } catch (cause) {
    throw unusable(setting, url, 'NATS server', cause)
  }
}

export async function checkRedis(setting: string, url: string): Promise<void> {
  const { username, password } = new URL(url)
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  const login = credentials.length > 0 ? toRequest(['AUTH', ...credentials]) : ''
  try {
    const answer = await converse(url, 6379, `${login}${toRequest(['PING'])}`, /\+PONG\r\n|-.*\r\n/)
    const refusal = /^-(.*)\r$/m.exec(answer)?.[1]
    if (refusal) throw new Error(`it answers "${refusal}"`)
  } catch (cause) {
    throw unusable(setting, url, 'Redis', cause)
  }
}

function converse(url: string, defaultPort: number, request: string, expected: RegExp): Promise<string> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: Number(port) || defaultPort }
  return new Promise((resolve, reject) => {
    const socket: Socket = protocol === 'rediss:' ? connectTls({ ...target, servername: host }) : connectPlain(target)
    let answer = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer within 5 s')))
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8')
      if (!expected.test(answer)) return
      socket.destroy()
      resolve(answer)
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed without an answer')))
    if (request !== '') socket.write(request)
  })
}

function toRequest(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

function unusable(setting: string, url: string, what: string, cause: unknown): SetupError {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause
  const text = reason instanceof Error ? reason.message : String(reason)
  const host = new URL(url).host || 'the default address'
  return new SetupError(`${setting}: no usable ${what} at ${host} (${text}).`)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { formatHosts, parseDatabaseUrl, parseNatsUrl, parseRedisUrl } from '@storekeep/common/config'
import { firstCause } from '@storekeep/common/errors'
import { withClient } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { converse } from '../infra/converse.ts'

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
  const { hosts } = parseNatsUrl(url)
  try {
    await Promise.any(
      hosts.map(async (server) => {
        const info = await converse(server, '', /INFO \{.*\} *\r\n/)
        if (!info.includes('"jetstream":true'))
          throw new Error('JetStream is disabled; start the server with --jetstream')
      }),
    )
  } catch (cause) {
    throw unusable(setting, formatHosts({ hosts }), 'NATS server', cause)
  }
}

export async function checkRedis(setting: string, url: string): Promise<void> {
  const { scheme, user, password, hosts, parameters } = parseRedisUrl(url)
  const isTls = scheme.startsWith('rediss')
  const credentials = scheme.endsWith('+sentinel')
    ? [parameters['sentinel-user'], parameters['sentinel-password']]
    : [user, password]
  const given = credentials.filter((part) => part !== undefined)
  const request = `${given.length > 0 ? toRequest(['AUTH', ...given]) : ''}${toRequest(['PING'])}`
  try {
    await Promise.any(
      hosts.map(async (server) => {
        const response = await converse({ ...server, isTls }, request, /\+PONG\r\n|-.*\r\n/)
        const error = /^-(.*)\r$/m.exec(response)?.[1]
        if (error) throw new Error(`it returned "${error}"`)
      }),
    )
  } catch (cause) {
    throw unusable(setting, formatHosts({ hosts }), 'Redis', cause)
  }
}

function toRequest(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

function unusable(setting: string, host: string, what: string, cause: unknown): SetupError {
  const reason = firstCause(cause)
  const text = reason instanceof Error ? reason.message : String(reason)
  return new SetupError(`${setting}: cannot use the ${what} at ${host} (${text}).`)
}

import { formatDatabaseUrl, parseDatabaseUrl } from './database-url.ts'
import { formatServerUrl, type ServerUrl } from './server-url.ts'

/**
 * Thrown for missing or invalid settings. The message is one line that names all of them. It never quotes values, which
 * may be secrets.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads settings from the environment. Collects all missing and invalid settings, so that one start reports them all.
 * Only a `config.ts` may pass `process.env`.
 *
 * An absent or empty setting has its default; without a default it is missing.
 */
export function createEnvReader(env: Environment): EnvReader {
  // A set, since a setting may be read more than once.
  const problems = new Set<string>()

  function read<T>(name: string, fallback: T | undefined, parse: (text: string) => T | Problem): T {
    const text = env[name]?.trim()
    if (text === undefined || text === '') {
      if (fallback !== undefined) return fallback
      problems.add(`${name} is missing`)
      return undefined as T
    }
    const value = parse(text)
    if (!(value instanceof Problem)) return value
    problems.add(`${name} ${value.text}`)
    return undefined as T
  }

  return {
    string: (name, fallback) => read(name, fallback, (text) => text),
    optional: (name) => env[name]?.trim() || undefined,
    integer: (name, { min, max, fallback }) =>
      read(name, fallback, (text) => {
        const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
        return value >= min && value <= max ? value : new Problem(`must be a whole number from ${min} to ${max}`)
      }),
    boolean: (name, fallback) =>
      read(name, fallback, (text) =>
        text === 'true' ? true : text === 'false' ? false : new Problem('must be true or false'),
      ),
    oneOf: (name, choices, fallback) =>
      read(name, fallback, (text) => {
        const choice = choices.find((one) => one === text)
        return choice ?? new Problem(`must be one of ${choices.join(', ')}`)
      }),
    url: (name, protocols, fallback) => read(name, fallback, (text) => parseUrl(text, protocols)),
    serverUrl: (name, parse) =>
      read(name, undefined, (text) => attempt(() => serverUrl(text, parse, env, prefixOf(name)))),
    databaseUrl: (name) => read(name, undefined, (text) => attempt(() => databaseUrl(text, env, prefixOf(name)))),
    list: (name, fallback) =>
      read(name, fallback, (text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      ),
    custom: (name, parse, fallback) => read(name, fallback, (text) => attempt(() => parse(text))),
    finish: () => {
      if (problems.size > 0) throw new ConfigError(`Invalid settings: ${[...problems].join('; ')}.`)
    },
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvReader {
  string(name: string, fallback?: string): string
  /** A setting without a default that may be absent. */
  optional(name: string): string | undefined
  integer(name: string, range: { min: number; max: number; fallback?: number }): number
  boolean(name: string, fallback?: boolean): boolean
  oneOf<const T extends string>(name: string, choices: readonly T[], fallback?: T): T
  /** An absolute URL with one of these protocols, each with its colon (`postgres:`). */
  url(name: string, protocols: readonly string[], fallback?: string): string
  /**
   * `NATS_URL` or another URL of a server. NATS_USER and NATS_PASSWORD, if present, become its credentials and may contain
   * any character: operators store them unencoded, and separately from the host. If REDIS_URL names sentinels,
   * REDIS_SENTINEL_USER and REDIS_SENTINEL_PASSWORD do the same for their credentials.
   * @param parse `parseNatsUrl` or `parseRedisUrl`
   */
  serverUrl(name: string, parse: (text: string) => ServerUrl): string
  /** Like `serverUrl` for `DATABASE_URL` and other URLs of Postgres, which may list hosts; see `parseDatabaseUrl`. */
  databaseUrl(name: string): string
  /** Comma-separated. */
  list(name: string, fallback?: readonly string[]): readonly string[]
  /** `parse` throws an Error whose message continues the setting's name ("must be …"). */
  custom<T>(name: string, parse: (text: string) => T, fallback?: T): T
  /** Call it before using the values. @throws ConfigError if any setting read so far is missing or invalid */
  finish(): void
}

function parseUrl(text: string, protocols: readonly string[]): string | Problem {
  const expected = `must be a URL that starts with ${protocols.map((one) => `${one}//`).join(' or ')}`
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : new Problem(expected)
}

/** @param prefix of the settings of the parts, such as NATS */
function serverUrl(text: string, parse: (text: string) => ServerUrl, env: Environment, prefix: string): string {
  const parts = parse(text)
  const user = env[`${prefix}_USER`] || parts.user
  const password = env[`${prefix}_PASSWORD`] || parts.password
  const parameters = { ...parts.parameters }
  for (const name of parts.scheme.endsWith('+sentinel') ? ['user', 'password'] : []) {
    const value = env[`${prefix}_SENTINEL_${name.toUpperCase()}`]
    if (value) parameters[`sentinel-${name}`] = value
  }
  const given = formatServerUrl({ ...parts, user, password, parameters })
  return given === formatServerUrl(parts) ? text : given
}

function databaseUrl(text: string, env: Environment, prefix: string): string {
  const parts = parseDatabaseUrl(text)
  const role = env[`${prefix}_USER`] || parts.role
  const password = env[`${prefix}_PASSWORD`] || parts.password
  return role === parts.role && password === parts.password ? text : formatDatabaseUrl({ ...parts, role, password })
}

/** The settings of the parts of DATABASE_URL start with DATABASE. */
function prefixOf(name: string): string {
  return name.replace(/_URL$/, '')
}

function attempt<T>(parse: () => T): T | Problem {
  try {
    return parse()
  } catch (error) {
    return new Problem(error instanceof Error ? error.message : 'is invalid')
  }
}

class Problem {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

import { decode, formatCredentials, parsePort, splitAtFirst, splitHostPort } from './url-parts.ts'

/**
 * Parses the URL of a Postgres database, which may list several hosts:
 * `postgres://role:password@a:5432,b:5432/database?target_session_attrs=read-write`. The syntax and the parameter names are
 * the same as in libpq; `target_session_attrs` and the parameters of `pg` are supported.
 *
 * Hosts may be names, addresses (IPv6 in brackets) or folders of Unix sockets (`%2Fvar%2Frun`). The parameters `host` and
 * `port` replace those before the path; they are needed for Unix sockets only.
 *
 * @throws Error whose message continues the setting's name and says what is wrong. It quotes no values, since a mistake can
 * put a part of the password anywhere
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme, authority = '', path = '', query = ''] = pattern.exec(text) ?? []
  if (scheme === undefined) throw new Error('must be a URL that starts with postgres:// or postgresql://')
  rejectUnencoded(text, authority, path, query)
  const credentialsEnd = authority.lastIndexOf('@')
  const [role = '', password] = splitAtFirst(authority.slice(0, Math.max(0, credentialsEnd)), ':')
  const { host, port, target_session_attrs: target, ...params } = parseParameters(query)
  const hosts = host === undefined ? splitHosts(authority.slice(credentialsEnd + 1)) : namedHosts(host, port)
  const database = decode(path.slice(1))
  if (database === '') throw new Error('has no database; it must end with a slash and the name of the database')
  return {
    hosts: hosts.map(parseHost),
    database,
    role: decode(role) || undefined,
    password: password === undefined ? undefined : decode(password),
    target: target === undefined ? undefined : oneOf('target_session_attrs', targets, target),
    params,
  }
}

/** @returns a URL from which `parseDatabaseUrl` reads the same parts */
export function formatDatabaseUrl({ hosts, database, role, password, target, params }: DatabaseUrl): string {
  const all = Object.entries({ ...params, ...(target !== undefined && { target_session_attrs: target }) })
  const query = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const authority = `${formatCredentials(role, password)}${formatHosts({ hosts })}`
  return `postgres://${authority}/${encodeURIComponent(database)}${query && `?${query}`}`
}

/** The hosts and ports of a URL as in its text: for logs and errors, since it contains no secrets. */
export function formatHosts({ hosts }: Pick<DatabaseUrl, 'hosts'>): string {
  return hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`)
    .join(',')
}

/** Only these select a server; see libpq. */
const targets = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const

export interface DatabaseUrl {
  /** In the order in which they are tried. At least one. */
  hosts: readonly DatabaseHost[]
  database: string
  role: string | undefined
  password: string | undefined
  /** The parameter `target_session_attrs`: which of the hosts may be used. */
  target: (typeof targets)[number] | undefined
  /** The other parameters, such as `sslmode`. */
  params: Readonly<Record<string, string>>
}

export interface DatabaseHost {
  /** A name, an address, or the folder of a Unix socket. */
  host: string
  port: number
}

/** Scheme, everything up to the path, path, query. */
const pattern = /^(postgres(?:ql)?):\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?/

/** Names the character that cuts the URL in a wrong place. A host, a path or a parameter's name never contains an `@`. */
function rejectUnencoded(text: string, authority: string, path: string, query: string): void {
  if (text.includes('#')) throw unencoded('#', 'password', '%23')
  if (/%(?![0-9a-f]{2})/i.test(text)) throw unencoded('%', 'password', '%25')
  if (authority.split('@').length > 2) throw unencoded('@', 'password', '%40')
  if (authority.includes('@')) {
    if (path.includes('@')) throw unencoded('@', 'database', '%40')
  } else {
    if (path.includes('@')) throw unencoded('/', 'password', '%2F')
    if (path === '' && query.includes('@')) throw unencoded('?', 'password', '%3F')
  }
  if (path.slice(1).includes('/')) throw unencoded('/', 'database', '%2F')
}

function unencoded(character: string, part: string, encoded: string): Error {
  return new Error(`has an unencoded ${character} in the ${part}; write it as ${encoded}`)
}

function splitHosts(text: string): [string, string | undefined][] {
  return text.split(',').map((one) => {
    const [host, port] = splitHostPort(one)
    return [decode(host), port]
  })
}

/** As in libpq, one port applies to all hosts. */
function namedHosts(hosts: string, ports: string | undefined): [string, string | undefined][] {
  const all = ports?.split(',') ?? []
  return hosts.split(',').map((host, index) => [host, all.length === 1 ? all[0] : all[index]])
}

function parseHost([host, port = '']: [string, string | undefined]): DatabaseHost {
  if (host === '') throw new Error('has no host')
  return { host, port: port === '' ? 5432 : parsePort(port) }
}

function parseParameters(query: string): Record<string, string> {
  const params: Record<string, string> = {}
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', value = ''] = splitAtFirst(pair, '=')
    if (!parameters.has(name)) {
      const quoted = /^[a-z_]{1,40}$/i.test(name) ? ` ${name}` : ''
      throw new Error(`has an unknown parameter${quoted}; known are ${[...parameters].join(', ')}`)
    }
    params[name] = decode(value)
  }
  if (params.sslmode !== undefined) oneOf('sslmode', sslModes, params.sslmode)
  return params
}

function oneOf<const T extends string>(parameter: string, choices: readonly T[], value: string): T {
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new Error(`has an invalid ${parameter}; it must be one of ${choices.join(', ')}`)
  return choice
}

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
const parameters = new Set([
  'target_session_attrs',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
  'application_name',
  'fallback_application_name',
  'client_encoding',
  'options',
  'host',
  'port',
])

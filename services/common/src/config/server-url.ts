import { decode, formatCredentials, parsePort, splitAtFirst, splitHostPort } from './url-parts.ts'

/**
 * Parses the URL of NATS or Redis servers: `nats://user:password@a:4222,b:4222`. A list may repeat the scheme and the
 * credentials (`nats://a:4222,nats://b:4222`), as clients of NATS write it.
 *
 * @param schemes the accepted ones, each with its default port
 * @param known the parameters that may follow a `?`
 * @throws Error whose message continues the setting's name and says what is wrong. It quotes no values, since a mistake can
 * put a part of the password anywhere
 */
export function parseServerUrl<Scheme extends string>(
  text: string,
  schemes: Readonly<Record<Scheme, number>>,
  known: readonly string[] = [],
): ServerUrl<Scheme> {
  const names = Object.keys(schemes) as Scheme[]
  const scheme = names.find((name) => text.startsWith(`${name}://`))
  if (scheme === undefined) {
    throw new Error(`must be a URL that starts with ${names.map((name) => `${name}://`).join(' or ')}`)
  }
  const [rest, query = ''] = splitQuery(text.slice(scheme.length + 3), known)
  const list = rest.replaceAll(/,\s*([a-z+]+):\/\//g, (separator, name: string) => (name === scheme ? ',' : separator))
  if (/,\s*[a-z+]+:\/\//.test(list)) throw new Error('mixes schemes; all hosts must have the same')
  const [authority = '', path = ''] = splitAtFirst(list, '/')
  rejectUnencoded(list, authority, path)
  const parts = authority.split(',').map((one) => splitAtLast(one.trim(), '@'))
  const [first] = parts
  for (const [credentials] of parts) {
    if (credentials === undefined || credentials === first?.[0]) continue
    if (first?.[0] === undefined) throw unencoded(',', '%2C')
    throw new Error('has different credentials for its hosts; all hosts must have the same')
  }
  const [user = '', password] = splitAtFirst(first?.[0] ?? '', ':')
  return {
    scheme,
    user: decode(user) || undefined,
    password: password === undefined ? undefined : decode(password),
    hosts: parts.map(([, host]) => parseHost(host, schemes[scheme])),
    path: decode(path),
    parameters: parseParameters(query, known),
  }
}

/** @returns a URL from which `parseServerUrl` reads the same parts */
export function formatServerUrl({ scheme, user, password, hosts, path, parameters }: ServerUrl): string {
  const list = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',')
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const authority = `${formatCredentials(user, password)}${list}`
  return `${scheme}://${authority}${path && `/${encodeURI(path)}`}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

export interface ServerUrl<Scheme extends string = string> {
  scheme: Scheme
  user: string | undefined
  password: string | undefined
  /** At least one. */
  hosts: readonly { host: string; port: number }[]
  /** Without its slash; empty if there is none. */
  path: string
  parameters: Readonly<Record<string, string>>
}

/** Splits the parameters off, unless the question mark stands in the password. */
function splitQuery(text: string, known: readonly string[]): [string, string | undefined] {
  if (known.length === 0) return [text, undefined]
  const [rest, query] = splitAtFirst(text, '?')
  const isCut = query?.includes('@') && !known.some((name) => query.startsWith(`${name}=`))
  return isCut ? [text, undefined] : [rest, query]
}

function parseParameters(query: string, known: readonly string[]): Record<string, string> {
  if (/[#]|%(?![0-9a-f]{2})/i.test(query)) throw new Error('has an unencoded # or % in a parameter')
  const pairs = query.split('&').filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value = ''] = splitAtFirst(pair, '=')
      if (!known.includes(name)) throw new Error(`has an unknown parameter; known are ${known.join(', ')}`)
      return [name, decode(value)]
    }),
  )
}

/** Names the character that cuts the URL in a wrong place. */
function rejectUnencoded(list: string, authority: string, path: string): void {
  if (list.includes('#')) throw unencoded('#', '%23')
  if (/%(?![0-9a-f]{2})/i.test(list)) throw unencoded('%', '%25')
  if (authority.split(',').some((one) => one.split('@').length > 2)) throw unencoded('@', '%40')
  if (path.includes('@')) throw unencoded('/', '%2F')
  if (/\?.*@/.test(list)) throw unencoded('?', '%3F')
  if (list.includes('?')) throw new Error('has parameters; it may only have credentials, hosts and a path')
}

function unencoded(character: string, encoded: string): Error {
  return new Error(`has an unencoded ${character} in the password; write it as ${encoded}`)
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const [host, port] = splitHostPort(text)
  if (host === '') throw new Error('has no host')
  if (/\s/.test(host)) throw new Error('has a space in a host')
  return { host, port: port === undefined ? defaultPort : parsePort(port) }
}

function splitAtLast(text: string, separator: string): [string | undefined, string] {
  const at = text.lastIndexOf(separator)
  return at < 0 ? [undefined, text] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** Decodes a part of a URL. @throws Error whose message continues the setting's name and quotes nothing */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has an encoded character that is not UTF-8')
  }
}

/** @throws Error whose message continues the setting's name and quotes nothing */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new Error('has a port that is not a number from 1 to 65535')
  return port
}

/** @returns the text before the first separator, and the text after it; undefined if there is none */
export function splitAtFirst(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}

/**
 * Splits `host:port`. An IPv6 address has brackets, which are removed.
 * @returns the port as text; undefined if there is none
 * @throws Error whose message continues the setting's name and quotes nothing
 */
export function splitHostPort(text: string): [string, string | undefined] {
  if (/^[^[]*:.*:/.test(text)) throw new Error('has an IPv6 address without brackets')
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? []
  return [host.replace(/^\[|\]$/g, ''), port]
}

/** @returns what stands between the scheme and the hosts of a URL: `user:password@`, or nothing */
export function formatCredentials(user: string | undefined, password: string | undefined): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`
  return user === undefined && password === undefined ? '' : `${encodeURIComponent(user ?? '')}${secret}@`
}

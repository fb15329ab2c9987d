import { parseServerUrl, type ServerUrl } from './server-url.ts'

/**
 * Parses SMTP_URL:
 * - `smtps://user:password@host:465`: TLS from the start
 * - `smtp://user:password@host:587`: STARTTLS, without which no email is sent
 * - `smtp://host:25?starttls=optional`: STARTTLS only if the server offers it, for a server on the same machine or network
 *
 * @throws Error whose message continues the setting's name and says what is wrong; see `parseServerUrl`
 */
export function parseSmtpUrl(text: string): SmtpUrl {
  const url = parseServerUrl(text, { smtp: 587, smtps: 465 }, ['starttls'])
  const { scheme, user, hosts, path, parameters } = url
  if (hosts.length > 1) throw new Error('lists several hosts; name one')
  if (path !== '') throw new Error('has a path')
  if (parameters.starttls === undefined) return url
  if (scheme === 'smtps' || parameters.starttls !== 'optional') {
    throw new Error('has an invalid starttls; smtp:// accepts starttls=optional')
  }
  // A machine between the two could remove the offer of STARTTLS and read the password.
  if (user !== undefined) throw new Error('has credentials, which are only sent with TLS; remove starttls=optional')
  return url
}

export type SmtpUrl = ServerUrl<'smtp' | 'smtps'>

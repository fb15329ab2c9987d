import { errors } from '@storekeep/common/errors'

/**
 * Reads the credential of an `Authorization: <scheme> <credential>` header. The scheme is case-insensitive.
 * @throws ServiceFault `unauthorized` when the header is absent, has another scheme or none (the message says which), or has
 * more than one credential. The message never repeats the header, which may contain a valid credential.
 */
export function readCredential(header: string | undefined, scheme: keyof typeof schemeMissing): string {
  const [given, credential, ...rest] = header?.trim().split(/\s+/, 3) ?? []
  if (!given) throw errors.unauthorized()
  if (given.toLowerCase() !== scheme.toLowerCase()) throw errors.unauthorized(schemeMissing[scheme])
  if (credential === undefined || rest.length > 0) throw errors.unauthorized()
  return credential
}

const schemeMissing = {
  APIKey: 'The Authorization header lacks the scheme "APIKey". Send: Authorization: APIKey <key>',
  Gameserver: 'The Authorization header lacks the scheme "Gameserver". Send: Authorization: Gameserver <token>',
  Customer: 'The Authorization header lacks the scheme "Customer". Send: Authorization: Customer <token>',
} as const

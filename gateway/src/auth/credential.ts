/**
 * Reads the credential of an `Authorization: <scheme> <credential>` header. The scheme is case-insensitive.
 * Undefined when the header is absent, has another scheme, or has more than one credential.
 */
export function readCredential(header: string | undefined, scheme: string): string | undefined {
  const [given, credential, ...rest] = header?.trim().split(/\s+/, 3) ?? []
  if (given?.toLowerCase() !== scheme.toLowerCase() || rest.length > 0) return undefined
  return credential
}

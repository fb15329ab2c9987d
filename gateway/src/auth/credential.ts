/**
 * The credential of an `Authorization: <scheme> <credential>` header, undefined when there is none, the scheme is another
 * one, or more than one credential was sent. The scheme's case does not matter.
 */
export function readCredential(header: string | undefined, scheme: string): string | undefined {
  const [given, credential, ...rest] = header?.trim().split(/\s+/) ?? []
  if (given?.toLowerCase() !== scheme.toLowerCase() || rest.length > 0) return undefined
  return credential
}

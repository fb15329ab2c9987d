import { foldText } from './folded-text.ts'

/** Format of email addresses, shared by the services that ban them and check for bans. */

/**
 * Returns the normalized address for comparison, undefined if the text is not an address. Case is ignored: mailboxes
 * that differ only in case do not exist in practice. The length limit applies to the normalized form, which can be
 * longer than the input.
 */
export function parseEmailAddress(text: string): string | undefined {
  const email = foldText(text.trim())
  return email.length <= 254 && /^[^\s@\0]+@[^\s@\0]+$/.test(email) ? email : undefined
}

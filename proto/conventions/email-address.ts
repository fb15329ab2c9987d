import { foldText } from './folded-text.ts'

/** What an e-mail address looks like, to whoever keeps bans of them and whoever asks for one. */

/**
 * The form by which addresses are compared, undefined for what is none. Mail boxes that differ in case alone exist on
 * paper only. Measured is the form, since letters may grow when they are folded.
 */
export function parseEmailAddress(text: string): string | undefined {
  const email = foldText(text.trim())
  return email.length <= 254 && /^[^\s@\0]+@[^\s@\0]+$/.test(email) ? email : undefined
}

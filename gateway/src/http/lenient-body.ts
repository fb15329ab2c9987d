import { isUtf8 } from 'node:buffer'
import { parseJsonBody } from './json-body.ts'

/**
 * Parses the body of a plugin. A body that is not valid UTF-8 is read as Latin-1: some plugins send the characters of a server's name
 * beyond ASCII as one byte each.
 *
 * @returns undefined for an empty body
 * @throws ServiceFault `bad-request` for invalid JSON
 */
export function parseLenientBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  return parseJsonBody(isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('latin1'), 'utf8'))
}

import { z } from 'zod'
import { fails } from './fields.ts'

/** Where a browser may be sent: absolute, http or https, no credentials, nothing that a URL parser would repair. */
export const webAddress = z
  .string()
  .refine((text) => text.length <= 2048, fails('length', 'must have at most 2048 characters'))
  .refine(isWebAddress, fails('format', 'must be an absolute http or https address without credentials'))
  .meta({ override: { format: 'uri', maxLength: 2048 }, example: 'https://shop.example.com/account' })

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || /\p{Cc}/u.test(text)) return false
  const parsed = URL.parse(text)
  return parsed !== null && parsed.username === '' && parsed.password === ''
}

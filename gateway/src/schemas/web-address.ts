import { isWebAddress, maxWebAddressLength } from '@storekeep/common/values'
import { z } from 'zod'
import { fails } from './fields.ts'

/** Where a browser may be sent: absolute, http or https, no credentials, nothing that a URL parser would repair. */
export const webAddress = z
  .string()
  .refine((text) => text.length <= maxWebAddressLength, fails('length', 'must have at most 2048 characters'))
  .refine(isWebAddress, fails('format', 'must be an absolute http or https address without credentials'))
  .meta({ override: { format: 'uri', maxLength: 2048 }, example: 'https://shop.example.com/account' })

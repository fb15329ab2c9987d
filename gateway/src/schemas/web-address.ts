import { isImageAddress, isWebAddress, maxWebAddressLength } from '@storekeep/common/values'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** A URL that a browser may be redirected to: absolute, http or https, without credentials, already well-formed. */
export const webAddress = z
  .string()
  .refine(
    (text) => text.length <= maxWebAddressLength,
    fails('length', `must have at most ${maxWebAddressLength} characters`),
  )
  .refine(isWebAddress, fails('format', 'must be an absolute http or https URL without credentials'))
  .meta({ override: { format: 'uri', maxLength: maxWebAddressLength }, example: 'https://shop.example.com/account' })

/** A URL of an image that the service fetches: https, or http on this machine. */
export const imageAddress = z
  .string()
  .refine(
    (text) => text.length <= maxWebAddressLength,
    fails('length', `must have at most ${maxWebAddressLength} characters`),
  )
  .refine(isImageAddress, fails('format', 'must be an https URL without credentials'))
  .meta({ override: { format: 'uri', maxLength: maxWebAddressLength }, example: 'https://shop.example.com/vip.png' })

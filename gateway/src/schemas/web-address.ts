import { isSecureAddress, isWebAddress, maxWebAddressLength } from '@storekeep/common/values'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** A URL that a browser may be redirected to: absolute, http or https, without credentials, already well-formed. */
export const webAddress = addressField(isWebAddress, 'http or https').meta({
  example: 'https://shop.example.com/account',
})

/** A URL on the pages of shoppers: absolute, https, or http on a loopback host, without credentials. */
export const secureAddress = addressField(isSecureAddress, 'https').meta({
  example: 'https://shop.example.com/logo.png',
})

function addressField(isValid: (text: string) => boolean, scheme: string) {
  return z
    .string()
    .refine(
      (text) => text.length <= maxWebAddressLength,
      fails('length', `must have at most ${maxWebAddressLength} characters`),
    )
    .refine(isValid, fails('format', `must be an absolute ${scheme} URL without credentials`))
    .meta({ override: { format: 'uri', maxLength: maxWebAddressLength } })
}

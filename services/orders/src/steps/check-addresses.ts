import { errors, violation } from '@storekeep/common/errors'
import { isWebAddress } from '@storekeep/common/values'

/** @throws ServiceFault `validation-failed` unless the provider can send a browser to both addresses */
export function checkAddresses({ successUrl, cancelUrl }: { successUrl: string; cancelUrl: string }): void {
  const addresses = { success_url: successUrl, cancel_url: cancelUrl }
  const violations = Object.entries(addresses).flatMap(([path, address]) =>
    isWebAddress(address) ? [] : [violation(path, 'format', 'must be a web address')],
  )
  if (violations.length > 0) throw errors.validationFailed(violations)
}

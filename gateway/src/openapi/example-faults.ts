import { type ErrorCode, errors, type ServiceFault, violation } from '@storekeep/common/errors'
import { methodNotAllowed, payloadTooLarge, RateLimited } from '@storekeep/common/http'
import { httpFaults } from '../errors/http-faults.ts'
import { defaultBodyLimitBytes, type Endpoint } from '../http/endpoint.ts'

/**
 * One example fault per code, created by the constructors that raise it. Tests compare the messages with real responses.
 */
export function exampleFaults({
  auth,
  path,
  scope,
  bodyLimitBytes = defaultBodyLimitBytes,
}: Endpoint): Record<ErrorCode, ServiceFault> {
  const storeField = auth === 'api-key' ? 'storeId' : 'x-service-store-id'
  return {
    'bad-request': httpFaults.invalidJson(),
    'validation-failed': errors.validationFailed([violation(storeField, 'format', 'must be an id')]),
    unauthorized: errors.unauthorized(),
    forbidden: auth === 'api-key' ? httpFaults.missingScope(scope) : errors.forbidden(),
    'customer-banned': errors.customerBanned(),
    'platform-not-allowed': errors.platformNotAllowed('This platform must use the server-side sign-in flow.'),
    'not-found': errors.notFound(nounOf(path)),
    'method-not-allowed': methodNotAllowed(['GET', 'HEAD']),
    conflict: errors.stillRunning(),
    'payload-too-large': payloadTooLarge(bodyLimitBytes),
    'unsupported-media-type': httpFaults.unsupportedMediaType(),
    'idempotency-mismatch': errors.idempotencyMismatch(),
    'too-many-requests': new RateLimited(3),
    'internal-error': errors.internal(),
    'service-unavailable': errors.unavailable(),
  }
}

/** `…/bans/{banId}` → "ban"; the store for a path without another id. */
function nounOf(path: string): string {
  const [, name = path.endsWith('/lookup') ? 'customer' : 'store'] = /\{(?!storeId\})(\w+)Id\}/.exec(path) ?? []
  const noun = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return noun === 'checkout' ? 'checkout session' : noun
}

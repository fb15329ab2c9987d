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
  const invalid =
    auth === 'game-server'
      ? violation('hostname', 'required', 'is required')
      : violation(auth === 'api-key' ? 'storeId' : 'x-service-store-id', 'format', 'must be an id')
  return {
    'bad-request': httpFaults.invalidJson(),
    'validation-failed': errors.validationFailed([invalid]),
    unauthorized: errors.unauthorized(),
    forbidden: forbiddenOf(auth, scope),
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

function forbiddenOf(auth: Endpoint['auth'], scope: Endpoint['scope']): ServiceFault {
  if (auth === 'api-key') return httpFaults.missingScope(scope)
  return auth === 'game-server' ? httpFaults.gameServerDisabled() : errors.forbidden()
}

/** `…/bans/{banId}` → "ban"; the store for a path without another id. */
function nounOf(path: string): string {
  const [, name = path.endsWith('/lookup') ? 'customer' : 'store'] = /\{(?!storeId\})(\w+)Id\}/.exec(path) ?? []
  const noun = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return noun === 'checkout' ? 'checkout session' : noun
}

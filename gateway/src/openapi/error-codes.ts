import type { ErrorCode } from '@storekeep/common/errors'
import { type Endpoint, takesBody, takesIdempotencyKey } from '../http/endpoint.ts'

/** Every error code of an endpoint: declared ones, and codes implied by its path, authentication and input. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { auth, path, limits, errors = [] } = endpoint
  const codes = new Set<ErrorCode>([...always, ...byAuth[auth], ...errors])
  if (takesBody(endpoint)) for (const code of withBody) codes.add(code)
  if (takesIdempotencyKey(endpoint)) for (const code of idempotent) codes.add(code)
  // Game servers may acknowledge unknown ids, and send bodies of any type.
  if (auth === 'game-server') codes.delete('unsupported-media-type')
  else if (/\{(?!storeId\})/.test(path)) codes.add('not-found')
  if (limits) codes.add('too-many-requests')
  return [...codes]
}

const always: readonly ErrorCode[] = ['bad-request', 'validation-failed', 'internal-error', 'service-unavailable']
const withBody: readonly ErrorCode[] = ['payload-too-large', 'unsupported-media-type']
const idempotent: readonly ErrorCode[] = ['conflict', 'idempotency-mismatch']
const byAuth: Record<Endpoint['auth'], readonly ErrorCode[]> = {
  'api-key': ['unauthorized', 'forbidden', 'too-many-requests'],
  // The store in the header may not exist.
  customer: ['unauthorized', 'forbidden', 'not-found', 'too-many-requests'],
  'customer-optional': ['unauthorized', 'forbidden', 'not-found', 'too-many-requests'],
  none: ['not-found'],
  'game-server': ['unauthorized', 'forbidden', 'too-many-requests'],
}

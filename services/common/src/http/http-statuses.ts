import type { ErrorCode } from '../errors/index.ts'

/** The HTTP status of each public error code. */
export const httpStatuses = {
  'bad-request': 400,
  'validation-failed': 400,
  unauthorized: 401,
  forbidden: 403,
  'customer-banned': 403,
  'platform-not-allowed': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'idempotency-mismatch': 422,
  'too-many-requests': 429,
  'internal-error': 500,
  'service-unavailable': 503,
} as const satisfies Record<ErrorCode, number>

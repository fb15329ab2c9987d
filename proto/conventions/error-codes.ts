/**
 * The closed list of public error codes, each with its HTTP status (contract section A, ServiceError). Adding one changes
 * the public interface. The shared runtime has the gRPC status of each.
 */
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
} as const

export type ErrorCode = keyof typeof httpStatuses

export const errorCodes = Object.keys(httpStatuses) as readonly ErrorCode[]

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(httpStatuses, value)
}

/** The kind of check that an input failed (contract section A, `validation`). */
export const validationKinds = [
  'required',
  'type',
  'enum',
  'format',
  'min',
  'max',
  'length',
  'pattern',
  'unique',
  'exclusive',
  'reference',
] as const

export type ValidationKind = (typeof validationKinds)[number]

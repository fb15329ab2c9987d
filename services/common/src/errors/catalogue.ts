/** The closed list of public error codes (contract section A, ServiceError). A new code changes the public interface. */
export const errorCodes = [
  'bad-request',
  'validation-failed',
  'unauthorized',
  'forbidden',
  'customer-banned',
  'platform-not-allowed',
  'not-found',
  'method-not-allowed',
  'conflict',
  'payload-too-large',
  'unsupported-media-type',
  'idempotency-mismatch',
  'too-many-requests',
  'internal-error',
  'service-unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export function isErrorCode(value: string): value is ErrorCode {
  return (errorCodes as readonly string[]).includes(value)
}

/** Which kind of check an input failed (contract section A, `validation`). */
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

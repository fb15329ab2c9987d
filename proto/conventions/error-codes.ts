/**
 * The closed list of public error codes (contract section A, ServiceError). Adding one changes the public interface.
 * The shared runtime has the gRPC status of each, the gateway the HTTP status.
 */
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
  return errorCodes.some((code) => code === value)
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

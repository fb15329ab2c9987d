import { status as GrpcStatus } from '@grpc/grpc-js'

/**
 * The closed list of public error codes (contract section A, ServiceError) with the one HTTP status and the one
 * gRPC status that each travels as. Adding a code is a change of the public interface.
 */
export const errorCatalogue = {
  'bad-request': { httpStatus: 400, grpcStatus: GrpcStatus.INVALID_ARGUMENT },
  'validation-failed': { httpStatus: 400, grpcStatus: GrpcStatus.INVALID_ARGUMENT },
  unauthorized: { httpStatus: 401, grpcStatus: GrpcStatus.UNAUTHENTICATED },
  forbidden: { httpStatus: 403, grpcStatus: GrpcStatus.PERMISSION_DENIED },
  'customer-banned': { httpStatus: 403, grpcStatus: GrpcStatus.PERMISSION_DENIED },
  'platform-not-allowed': { httpStatus: 403, grpcStatus: GrpcStatus.PERMISSION_DENIED },
  'not-found': { httpStatus: 404, grpcStatus: GrpcStatus.NOT_FOUND },
  'method-not-allowed': { httpStatus: 405, grpcStatus: GrpcStatus.UNIMPLEMENTED },
  conflict: { httpStatus: 409, grpcStatus: GrpcStatus.ALREADY_EXISTS },
  'payload-too-large': { httpStatus: 413, grpcStatus: GrpcStatus.RESOURCE_EXHAUSTED },
  'unsupported-media-type': { httpStatus: 415, grpcStatus: GrpcStatus.INVALID_ARGUMENT },
  'idempotency-mismatch': { httpStatus: 422, grpcStatus: GrpcStatus.FAILED_PRECONDITION },
  'too-many-requests': { httpStatus: 429, grpcStatus: GrpcStatus.RESOURCE_EXHAUSTED },
  'internal-error': { httpStatus: 500, grpcStatus: GrpcStatus.INTERNAL },
  'service-unavailable': { httpStatus: 503, grpcStatus: GrpcStatus.UNAVAILABLE },
} as const satisfies Record<string, { httpStatus: number; grpcStatus: GrpcStatus }>

export type ErrorCode = keyof typeof errorCatalogue

/** True for a string that is one of the catalogue's codes. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCatalogue, value)
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

import { status as GrpcStatus, Metadata, type StatusObject } from '@grpc/grpc-js'
import { decode, encode } from '@storekeep/proto/codec'
import { FaultSchema } from '@storekeep/proto/common/v1/errors'
import {
  type ErrorCode,
  errors,
  isErrorCode,
  ServiceFault,
  type ValidationKind,
  type Violation,
  validationKinds,
} from '../errors/index.ts'

/** The gRPC status of each error code. */
const grpcStatuses: Readonly<Record<ErrorCode, GrpcStatus>> = {
  'bad-request': GrpcStatus.INVALID_ARGUMENT,
  'validation-failed': GrpcStatus.INVALID_ARGUMENT,
  unauthorized: GrpcStatus.UNAUTHENTICATED,
  forbidden: GrpcStatus.PERMISSION_DENIED,
  'customer-banned': GrpcStatus.PERMISSION_DENIED,
  'platform-not-allowed': GrpcStatus.PERMISSION_DENIED,
  'not-found': GrpcStatus.NOT_FOUND,
  'method-not-allowed': GrpcStatus.UNIMPLEMENTED,
  conflict: GrpcStatus.ALREADY_EXISTS,
  'payload-too-large': GrpcStatus.RESOURCE_EXHAUSTED,
  'unsupported-media-type': GrpcStatus.INVALID_ARGUMENT,
  'idempotency-mismatch': GrpcStatus.FAILED_PRECONDITION,
  'too-many-requests': GrpcStatus.RESOURCE_EXHAUSTED,
  'internal-error': GrpcStatus.INTERNAL,
  'service-unavailable': GrpcStatus.UNAVAILABLE,
}

/** How a failed call ended, as sent between processes. */
export interface CallFailure {
  code: GrpcStatus
  details: string
  /** A serialized `Fault`; empty if the failure did not come from a service. */
  fault: Uint8Array
}

/**
 * Maps anything a handler threw to a gRPC status. Only the public parts of a ServiceFault leave the process; any other
 * error becomes INTERNAL with a generic message.
 */
export function faultToStatus(error: unknown): CallFailure {
  const fault = error instanceof ServiceFault ? error : errors.internal(error)
  const bytes = encode(FaultSchema, {
    code: fault.code,
    message: fault.message,
    violations: withinTrailer(fault.violations),
    ...(fault.retryAfterSeconds !== undefined && { retryAfterSeconds: fault.retryAfterSeconds }),
  })
  return { code: grpcStatuses[fault.code], details: fault.message, fault: bytes }
}

/**
 * Returns the fault that the called service sent. Without one (no replica was reachable, the deadline passed, the
 * process died) the status decides whether a retry may succeed.
 */
export function statusToFault({ code, fault }: CallFailure, cause: unknown): ServiceFault {
  if (fault.length > 0) return decodeFault(fault, cause)
  return transientStatuses.has(code) ? errors.unavailable(cause) : errors.internal(cause)
}

/** The status of a plain unary RPC; the fault travels in the trailer. */
export function statusToTrailer({
  code,
  details,
  fault,
}: CallFailure): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata()
  if (fault.length > 0) metadata.set(faultKey, Buffer.from(fault))
  return { code, details, metadata }
}

/**
 * Drops violations that do not fit the trailer: HTTP/2 peers reject headers of 64 KiB and more, which would turn a
 * validation error into an internal one. The message still states the total.
 */
function withinTrailer(violations: readonly Violation[]): Violation[] {
  let bytes = 0
  return violations.filter((one) => {
    bytes += 12 + Buffer.byteLength(one.path + one.code + one.message + one.validation)
    return bytes <= maxViolationBytes
  })
}

export const noFault = new Uint8Array()

const maxViolationBytes = 32 * 1024
const faultKey = 'storekeep-fault-bin'
const transientStatuses = new Set<GrpcStatus>([
  GrpcStatus.UNAVAILABLE,
  GrpcStatus.DEADLINE_EXCEEDED,
  GrpcStatus.CANCELLED,
  GrpcStatus.RESOURCE_EXHAUSTED,
  GrpcStatus.ABORTED,
  // Without a Fault these are about this process, not about the store: the service does not list us as a caller.
  GrpcStatus.PERMISSION_DENIED,
  GrpcStatus.UNAUTHENTICATED,
])

function decodeFault(bytes: Uint8Array, cause: unknown): ServiceFault {
  const { code, message, violations, retryAfterSeconds } = decode(FaultSchema, bytes)
  if (!isErrorCode(code)) return errors.internal(cause)
  return new ServiceFault(code, message, {
    cause,
    violations: violations.map((one) => ({
      path: one.path,
      code: one.code,
      message: one.message,
      validation: validationKind(one.validation),
    })),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function validationKind(text: string): ValidationKind {
  return validationKinds.find((kind) => kind === text) ?? 'format'
}

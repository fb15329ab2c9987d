import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { status as GrpcStatus, Metadata, type StatusObject } from '@grpc/grpc-js'
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

/** The end of a call that failed, as it travels. */
export interface FailedCall {
  code: GrpcStatus
  details: string
  /** A Fault; empty when nobody answered who could name one. */
  fault: Uint8Array
}

/**
 * The gRPC status of anything a handler threw. Only a ServiceFault's public parts leave the process; everything
 * else becomes INTERNAL with a general text.
 */
export function faultToStatus(error: unknown): FailedCall {
  const fault = error instanceof ServiceFault ? error : errors.internal(error)
  const message = create(FaultSchema, {
    code: fault.code,
    message: fault.message,
    violations: withinTrailer(fault.violations),
    ...(fault.retryAfterSeconds !== undefined && { retryAfterSeconds: fault.retryAfterSeconds }),
  })
  return {
    code: grpcStatuses[fault.code],
    details: fault.message,
    fault: toBinary(FaultSchema, message),
  }
}

const grpcStatuses: Record<ErrorCode, GrpcStatus> = {
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

/**
 * The fault behind a failed call, as the called service named it. Without one (nobody answered, the deadline passed,
 * the process died) it is a fault of ours, and one that a retry may heal.
 */
export function statusToFault({ code, fault }: FailedCall, cause: unknown): ServiceFault {
  if (fault.length > 0) return decodeFault(fault, cause)
  return passing.has(code) ? errors.unavailable(cause) : errors.internal(cause)
}

export function statusToTrailer({
  code,
  details,
  fault,
}: FailedCall): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata()
  if (fault.length > 0) metadata.set(faultKey, Buffer.from(fault))
  return { code, details, metadata }
}

/**
 * HTTP/2 peers refuse headers of 64 KiB and more, and a refused trailer would turn a 400 into a fault of ours. What
 * does not fit is left out; the message says how many there are.
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
const passing = new Set<GrpcStatus>([
  GrpcStatus.UNAVAILABLE,
  GrpcStatus.DEADLINE_EXCEEDED,
  GrpcStatus.CANCELLED,
  GrpcStatus.RESOURCE_EXHAUSTED,
  GrpcStatus.ABORTED,
  // Not about anybody's rights, which come with a Fault: the service does not know us as a caller of its.
  GrpcStatus.PERMISSION_DENIED,
  GrpcStatus.UNAUTHENTICATED,
])

function decodeFault(bytes: Uint8Array, cause: unknown): ServiceFault {
  const { code, message, violations, retryAfterSeconds } = fromBinary(FaultSchema, bytes)
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

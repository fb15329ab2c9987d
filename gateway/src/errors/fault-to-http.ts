import { errors, ServiceFault } from '@storekeep/common/errors'
import type { ServiceError } from '../schemas/service-error.ts'
import { httpStatuses } from './http-statuses.ts'

/**
 * Turns a fault into the status, headers and body of its response. A failed gRPC call arrives here as the ServiceFault
 * that the service raised (`@storekeep/common/grpc`); its code determines the HTTP status.
 */
export function faultToHttp(fault: ServiceFault, traceId: string): HttpFault {
  const status = httpStatuses[fault.code]
  return {
    status,
    retryAfterSeconds: fault.retryAfterSeconds ?? (status === 503 ? 1 : undefined),
    body: {
      status,
      code: fault.code,
      message: fault.message,
      trace_id: traceId,
      errors: fault.violations.length === 0 ? null : fault.violations.map((one) => ({ ...one })),
    },
  }
}

/** Any thrown value as a fault: unchanged if it is one, else an internal error with the value as its private cause. */
export function asFault(thrown: unknown): ServiceFault {
  if (thrown instanceof ServiceFault) return thrown
  // The only error that the router itself raises: a path whose percent-encoding cannot be decoded.
  if (thrown instanceof URIError) return errors.badRequest('The path contains an invalid percent-encoding.')
  return errors.internal(thrown)
}

export interface HttpFault {
  status: number
  retryAfterSeconds: number | undefined
  body: ServiceError
}

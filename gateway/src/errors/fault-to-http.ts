import { errors, ServiceFault } from '@storekeep/common/errors'
import type { ServiceError } from '../schemas/service-error.ts'
import { httpStatuses } from './http-statuses.ts'

/**
 * The one way from anything thrown to a public answer. A failed gRPC call arrives here as the ServiceFault that the
 * service named (`@storekeep/common/grpc`); its code determines the HTTP status.
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

/** The fault behind anything thrown: itself, or a mistake of ours with the thrown thing as its private cause. */
export function asFault(thrown: unknown): ServiceFault {
  if (thrown instanceof ServiceFault) return thrown
  // The router's only own error: a path whose percent-encoding cannot be decoded.
  if (thrown instanceof URIError) return errors.badRequest('The path is not well-formed.')
  return errors.internal(thrown)
}

export interface HttpFault {
  status: number
  retryAfterSeconds: number | undefined
  body: ServiceError
}

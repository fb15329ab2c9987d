import type { ServiceFault } from '@storekeep/common/errors'
import { httpStatuses } from '@storekeep/common/http'
import type { ServiceError } from '../schemas/service-error.ts'

/**
 * Turns a fault into the status and body of its response. A failed gRPC call arrives here as the ServiceFault that the service raised
 * (`@storekeep/common/grpc`); its code determines the HTTP status.
 */
export function faultToHttp(fault: ServiceFault, traceId: string): { status: number; body: ServiceError } {
  const status = httpStatuses[fault.code]
  return {
    status,
    body: {
      status,
      code: fault.code,
      message: fault.message,
      trace_id: traceId,
      errors: fault.violations.length === 0 ? null : fault.violations.map((one) => ({ ...one })),
    },
  }
}

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { ListDeliveriesRequest, ResendDeliveriesRequest } from '@storekeep/proto/webhooks/v1/deliveries_service'
import {
  type DeliveryAttemptSchema,
  type DeliverySchema,
  DeliveryStatus as ProtoStatus,
} from '@storekeep/proto/webhooks/v1/delivery'
import type { AttemptRow, DeliveryRow } from './db/schema.ts'
import type { DeliveryFilterInput, DeliveryStatus } from './domain/delivery-filter.ts'
import type { ResendRangeInput } from './domain/resend-range.ts'

export function deliveryFilterFromProto({ status, eventType }: ListDeliveriesRequest): DeliveryFilterInput {
  return { status: enumFromProto(statusToProto, status), eventType }
}

export function resendRangeFromProto(request: ResendDeliveriesRequest): ResendRangeInput {
  const { since, until, eventTypes, onlyFailed, after } = request
  return { since: since && timestampDate(since), until: until && timestampDate(until), eventTypes, onlyFailed, after }
}

export function deliveryToProto(row: DeliveryRow): MessageInitShape<typeof DeliverySchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    webhookEndpointId: row.webhookEndpointId,
    eventId: row.eventId,
    eventType: row.eventType,
    status: statusToProto[row.status],
    attemptCount: row.attemptCount,
    nextAttemptAt: row.isInFlight ? undefined : timestampOrAbsent(row.dueAt),
    responseStatus: row.responseStatus,
    error: row.error,
    createdAt: timestampFromDate(row.createdAt),
    completedAt: timestampOrAbsent(row.completedAt),
  })
}

export function attemptToProto(row: AttemptRow): MessageInitShape<typeof DeliveryAttemptSchema> {
  return present({
    startedAt: timestampFromDate(row.startedAt),
    durationMs: row.durationMs,
    requestHeaders: row.requestHeaders,
    responseStatus: row.responseStatus,
    responseHeaders: row.responseHeaders ?? {},
    responseBody: row.responseBody,
    error: row.error,
  })
}

const statusToProto = {
  pending: ProtoStatus.PENDING,
  succeeded: ProtoStatus.SUCCEEDED,
  failed: ProtoStatus.FAILED,
} as const satisfies Record<DeliveryStatus, ProtoStatus>

import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  WebhookDisabledReason as ProtoDisabledReason,
  WebhookFormat as ProtoFormat,
  type WebhookEndpointInput as ProtoInput,
  WebhookEndpointInputSchema,
  type WebhookEndpointSchema,
} from '@storekeep/proto/webhooks/v1/webhook_endpoint'
import type { EndpointRow } from './db/schema.ts'
import type { DisabledReason, WebhookFormat } from './domain/endpoint.ts'
import type { EndpointInput } from './domain/endpoint-draft.ts'

/** An absent input has no fields set. */
export function endpointInputFromProto(input: ProtoInput = create(WebhookEndpointInputSchema)): EndpointInput {
  const { url, eventTypes, enabled, description, format, headers } = input
  return { url, eventTypes, enabled, description, headers, format: enumFromProto(formatToProto, format) }
}

export function endpointToProto(row: EndpointRow): MessageInitShape<typeof WebhookEndpointSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    url: row.url,
    eventTypes: [...row.eventTypes],
    enabled: row.enabled,
    description: row.description,
    format: formatToProto[row.format],
    headerNames: [...row.headerNames],
    disabledReason: row.disabledReason === null ? undefined : reasonToProto[row.disabledReason],
    failingSince: timestampOrAbsent(row.failingSince),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

const formatToProto = {
  standard: ProtoFormat.STANDARD,
  discord: ProtoFormat.DISCORD,
} as const satisfies Record<WebhookFormat, ProtoFormat>

const reasonToProto = {
  failing: ProtoDisabledReason.FAILING,
  gone: ProtoDisabledReason.GONE,
} as const satisfies Record<DisabledReason, ProtoDisabledReason>

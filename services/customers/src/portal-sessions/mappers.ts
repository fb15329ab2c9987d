import type { MessageInitShape } from '@bufbuild/protobuf'
import { present, timestampFromDate } from '@storekeep/common/message'
import type { PortalFlow, PortalFlowSchema, PortalSessionSchema } from '@storekeep/proto/customers/v1/customer'
import type { CreatePortalSessionRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { PortalSessionRow } from './db/schema.ts'
import type { PortalFlowKind, PortalSessionInput } from './domain/portal-session.ts'

export function portalSessionInputFromProto(request: CreatePortalSessionRequest): PortalSessionInput {
  const { flow, expiresInSeconds, returnUrl } = request
  return { flow: flow && portalFlowFromProto(flow), expiresInSeconds, returnUrl }
}

/** Without the token: only its hash is stored. */
export function portalSessionToProto(row: PortalSessionRow): MessageInitShape<typeof PortalSessionSchema> {
  const { flow, subscriptionId } = row
  return present({
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    createdAt: timestampFromDate(row.createdAt),
    expiresAt: timestampFromDate(row.expiresAt),
    flow: flow !== null && subscriptionId !== null ? portalFlowToProto(flow, subscriptionId) : undefined,
    returnUrl: row.returnUrl,
  })
}

function portalFlowFromProto({ flow }: PortalFlow): PortalSessionInput['flow'] {
  switch (flow.case) {
    case 'subscriptionCancel':
      return { kind: 'subscription_cancel', subscriptionId: flow.value.subscriptionId }
    case 'subscriptionPaymentMethodUpdate':
      return { kind: 'subscription_payment_method_update', subscriptionId: flow.value.subscriptionId }
    case undefined:
      return undefined
  }
}

function portalFlowToProto(kind: PortalFlowKind, subscriptionId: string): MessageInitShape<typeof PortalFlowSchema> {
  switch (kind) {
    case 'subscription_cancel':
      return { flow: { case: 'subscriptionCancel', value: { subscriptionId } } }
    case 'subscription_payment_method_update':
      return { flow: { case: 'subscriptionPaymentMethodUpdate', value: { subscriptionId } } }
  }
}

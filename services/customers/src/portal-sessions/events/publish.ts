import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { PortalSessionCreatedSchema } from '@storekeep/proto/customers/v1/events'
import type { PortalSessionRow } from '../db/schema.ts'
import { portalSessionToProto } from '../mappers.ts'

const portalSession = defineAggregate('customers', 'portal_session')

export async function publishPortalSessionCreated(tx: Transaction, row: PortalSessionRow, cause: Cause): Promise<void> {
  const message = { portalSession: portalSessionToProto(row) }
  await portalSession.publish(tx, row, cause, { verb: 'created', schema: PortalSessionCreatedSchema, message })
}

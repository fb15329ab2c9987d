import { raw } from 'sql-template-tag'
import type { TokenEpochs } from '../../tokens/db/schema.ts'
import type { PortalSessionDraft } from '../domain/portal-session.ts'

/** With the epochs at the creation of the session. */
export interface PortalSessionRow extends Omit<PortalSessionDraft, 'expiresInSeconds'>, TokenEpochs {
  id: string
  storeId: string
  customerId: string
  version: string
  createdAt: Date
  expiresAt: Date
}

/** Columns of a PortalSessionRow. */
export const portalSessionColumns =
  raw(`id, store_id as "storeId", customer_id as "customerId", flow, subscription_id as "subscriptionId",
  return_url as "returnUrl", version, created_at as "createdAt", expires_at as "expiresAt",
  customer_epoch as "customerEpoch", store_epoch as "storeEpoch"`)

import type { Customer } from '../domain/customer.ts'
import type { PortalSessionDraft } from '../domain/portal-session.ts'

/** Rows as the repositories answer them. Ids and versions are int8 and therefore strings. */
export interface CustomerRow extends Customer {
  version: string
  createdAt: Date
  updatedAt: Date | null
}

/** What decides whether a token is revoked. */
export interface TokenEpochs {
  customerEpoch: number
  storeEpoch: number
}

export interface PortalSessionRow extends Omit<PortalSessionDraft, 'expiresInSeconds'> {
  id: string
  storeId: string
  customerId: string
  version: string
  createdAt: Date
  expiresAt: Date
}

import { create, toBinary } from '@bufbuild/protobuf'
import { type Violation, violation } from '@storekeep/common/errors'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import type { CheckoutSession } from '../sessions/domain/checkout-session.ts'
import { sessionToProto } from '../sessions/mappers.ts'

/** All of a session that does not depend on when and by whom it is made. Nobody is a recipient yet. */
export type PricedSession = Omit<CheckoutSession, 'id' | 'storeId' | 'status' | 'expiresAt'>

/**
 * What is wrong with the size of a session. Each member keeps its limit and a hundred lines of them together are still
 * megabytes, also out of a short request: defaults of custom variables count in every line. The session has to fit
 * into one event, and several of them into one page.
 */
export function sizeViolations(session: PricedSession): Violation[] {
  const row = { ...session, ...unknown, expiresAt: start, createdAt: start }
  const { length } = toBinary(CheckoutSessionSchema, create(CheckoutSessionSchema, sessionToProto(row, start)))
  return length > maxSessionBytes ? [violation('lines', 'max', 'must take at most 512 KiB together')] : []
}

const maxSessionBytes = 512 * 1024

/** What is short and not known yet. */
const start = new Date(0)
const unknown = {
  id: '',
  storeId: '',
  status: 'open',
  createdBy: 'internal',
  completedAt: null,
  canceledAt: null,
  version: '1',
} as const

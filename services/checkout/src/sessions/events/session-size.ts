import { errors, violation } from '@storekeep/common/errors'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { encode } from '@storekeep/proto/codec'
import type { PricedSession } from '../domain/price-session.ts'
import { sessionToProto } from '../mappers.ts'

/**
 * A session must fit into one event, and several into one page. A hundred valid lines can reach megabytes even from a short
 * request, because custom-variable defaults are stored per line.
 * @throws ServiceFault `validation-failed`
 */
export function assertSessionFits(session: PricedSession): void {
  const row = { ...session, ...unknown, expiresAt: epoch, createdAt: epoch }
  const { length } = encode(CheckoutSessionSchema, sessionToProto(row, epoch))
  if (length > maxSessionBytes) {
    throw errors.validationFailed([violation('lines', 'max', 'must take at most 512 KiB together')])
  }
}

const maxSessionBytes = 512 * 1024

/** Fields that are short and not known yet. */
const epoch = new Date(0)
const unknown = {
  id: '',
  storeId: '',
  status: 'open',
  createdBy: 'internal',
  completedAt: null,
  canceledAt: null,
  paymentId: null,
  orderId: null,
  redemptionId: null,
  version: '1',
} as const

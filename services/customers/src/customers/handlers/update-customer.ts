import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { raiseCustomerEpoch } from '../../tokens/db/token-epoch-repository.ts'
import { lockCustomer, updateCustomerState } from '../db/customer-repository.ts'
import type { CustomerRow } from '../db/schema.ts'
import { isClaimed } from '../domain/customer.ts'
import { applyChange, checkChange } from '../domain/customer-change.ts'
import { publishCustomerTokensRevoked, publishCustomerUpdated } from '../events/publish.ts'
import { customerInputFromProto, customerToProto } from '../mappers.ts'
import { conflictOnTakenIds } from '../steps/conflict-on-taken-ids.ts'

export function updateCustomer(ctx: AppContext): CustomersHandlers['updateCustomer'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const id = requireFlakeId('customer_id', request.customerId)
    const change = checkChange(customerInputFromProto(request.customer), request.updateMask?.paths ?? [])
    let linked: number | undefined
    const updated = write(ctx, call, request, async (tx) => {
      const row = await lockCustomer(tx, storeId, id)
      if (!row) throw errors.notFound('customer')
      const changed = applyChange(row, change)
      if (!changed) return { customer: customerToProto(row) }
      const written = await updateCustomerState(tx, row, changed, ctx.clock.now())
      await publishCustomerUpdated(tx, written, call)
      if (!isClaimed(row) || isClaimed(written)) return { customer: customerToProto(written) }
      const revoked = await endClaims(tx, call, written)
      linked = revoked.tokenEpoch
      return { customer: customerToProto(revoked) }
    })
    const response = await conflictOnTakenIds(ctx, storeId, change, updated, id)
    // As in RevokeTokens: gateways are notified before the response is sent, if Redis is up.
    if (linked !== undefined) await ctx.minimumEpochs.raiseCustomer(storeId, id, linked)
    return response
  }
}

/**
 * Ends what the customer could be reached by while it was claimed: its tokens and its portal sessions (decision 0021). They may
 * be in the hands of someone who only typed the name.
 */
async function endClaims(tx: Transaction, call: Call, { storeId, id }: CustomerRow) {
  const revoked = await raiseCustomerEpoch(tx, storeId, id)
  if (!revoked) throw errors.internal(new Error('locked customer not found'))
  await publishCustomerTokensRevoked(tx, revoked, call)
  return revoked
}

import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findCustomersForProfiles } from '../db/customer-repository.ts'
import { profileOf } from '../domain/customer.ts'
import { profileToProto } from '../mappers.ts'

export function batchGetProfiles(ctx: AppContext): CustomersHandlers['batchGetProfiles'] {
  return async ({ customerIds }, call) => {
    const storeId = requireStore(call)
    const { idsPerBatch } = customerLimits
    if (customerIds.length > idsPerBatch) {
      throw errors.validationFailed([violation('customer_ids', 'length', `must have at most ${idsPerBatch} items`)])
    }
    const ids = customerIds.map((id, index) => requireFlakeId(`customer_ids.${index}`, id))
    const rows = await findCustomersForProfiles(ctx.database, storeId, ids)
    return { profiles: rows.map((row) => ({ customerId: row.id, profile: profileToProto(profileOf(row)) })) }
  }
}

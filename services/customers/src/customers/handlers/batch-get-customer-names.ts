import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findCustomersForNames } from '../db/customer-repository.ts'
import { profileOf } from '../domain/customer.ts'

export function batchGetCustomerNames(ctx: AppContext): CustomersHandlers['batchGetCustomerNames'] {
  return async ({ customerIds }, call) => {
    const storeId = requireStore(call)
    const { idsPerBatch } = customerLimits
    if (customerIds.length > idsPerBatch) {
      throw errors.validationFailed([violation('customer_ids', 'length', `must have at most ${idsPerBatch} items`)])
    }
    const ids = customerIds.map((id, index) => requireFlakeId(`customer_ids.${index}`, id))
    const rows = await findCustomersForNames(ctx.database, storeId, ids)
    return { names: Object.fromEntries(rows.map((row) => [row.id, profileOf(row).name])) }
  }
}

import { errors, violation } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { findProducts } from '../../products/db/product-repository.ts'
import { requireSessionOfToken } from '../steps/find-session.ts'

export function listRequiredProducts(ctx: AppContext): CheckoutHandlers['listRequiredProducts'] {
  return async ({ token, position }, call) => {
    const storeId = requireStore(call)
    const { lines } = await requireSessionOfToken(ctx, token, storeId)
    const line = lines[position - 1]
    if (!line) throw errors.validationFailed([violation('position', 'reference', 'is not a line of the session')])
    const { requiredProductIds: ids = [], requiredProductAll: all = false } = line.rules ?? {}
    const products = ids.length === 0 ? [] : await findProducts(ctx.database, storeId, ids)
    const names = new Map(products.map(({ id, name }) => [id, name]))
    return { names: ids.flatMap((id) => names.get(id) ?? []), all }
  }
}

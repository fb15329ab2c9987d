import { errors, violation } from '@storekeep/common/errors'
import type { AppContext } from '../../context.ts'

/**
 * Asserts that the store accepts test payments now. After a store has gone live, a test payment that was started before must not
 * complete an order.
 * @throws ServiceFault `conflict` with a violation of `provider`, which distinguishes it from a payment that was already decided
 */
export async function assertTestEnabled(ctx: AppContext, storeId: string): Promise<void> {
  const { enabled } = await ctx.providers.forStore(storeId)
  if (enabled.includes('test')) return
  throw errors.conflict('The store does not accept test payments.', [
    violation('provider', 'enum', 'is not enabled in this store'),
  ])
}

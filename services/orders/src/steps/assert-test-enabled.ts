import { errors } from '@storekeep/common/errors'
import type { AppContext } from '../context.ts'
import { findSettings } from '../db/settings-repository.ts'
import { enabledProviders } from '../domain/payment-settings.ts'

/**
 * Asserts that the store takes test payments now. A store that has gone live must not hand out orders for those that were started
 * before.
 * @throws ServiceFault `conflict`
 */
export async function assertTestEnabled(ctx: AppContext, storeId: string): Promise<void> {
  const settings = await findSettings(ctx.database, ctx.secrets, storeId)
  if (enabledProviders(settings, ctx.isTestAllowed).includes('test')) return
  throw errors.conflict('The store does not take test payments.')
}

import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../../context.ts'
import { lockSettings, selectOutdated, updateSettings } from '../db/settings-repository.ts'

/**
 * Encrypts the secrets of stores with the first key of ENCRYPTION_KEY, so that a rotation can remove the old key. Repeated, because a
 * replica that was started before the rotation still encrypts with the old key.
 */
export function reencryptSettings(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'reencrypt-payment-settings',
    everyMs: 30 * ctx.sweepMs,
    log: ctx.log,
    run: async (isStopping) => {
      let last = '0'
      while (!isStopping()) {
        const storeIds = await selectOutdated(ctx.database, ctx.secrets, last, batch)
        for (const storeId of storeIds) await reencrypt(ctx, storeId)
        if (storeIds.length < batch) return
        last = storeIds.at(-1) ?? last
      }
    },
  })
}

async function reencrypt({ database, secrets, log }: AppContext, storeId: string): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await updateSettings(tx, secrets, storeId, await lockSettings(tx, secrets, storeId))
    })
  } catch (error) {
    log.error(
      { err: error, store_id: storeId },
      'could not encrypt the payment settings of a store with the current key',
    )
  }
}

const batch = 100

import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { lockSettings, selectOutdated, updateSettings } from '../db/settings-repository.ts'
import { secretsOf } from '../domain/payment-settings.ts'

/**
 * Encrypts the secrets of stores with the first key of ENCRYPTION_KEY, so that a rotation can remove the old key. Repeated, because a
 * replica that was started before the rotation still encrypts with the old key.
 */
export function reencryptSettings(ctx: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'reencrypt-payment-settings',
    everyMs: ctx.reencryptMs,
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
      const settings = await lockSettings(tx, storeId)
      const { open, seal } = secretsOf(secrets, storeId)
      const reseal = (setting: Parameters<typeof open>[0], sealed: Buffer | null) =>
        sealed && seal(setting, open(setting, sealed))
      await updateSettings(tx, storeId, {
        ...settings,
        stripeSecretKey: reseal('stripe_secret_key', settings.stripeSecretKey),
        stripeWebhookSecret: reseal('stripe_webhook_secret', settings.stripeWebhookSecret),
      })
    })
  } catch (error) {
    log.error({ err: error, store_id: storeId }, 'payment settings re-encryption failed')
  }
}

const batch = 100

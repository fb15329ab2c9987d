import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../context.ts'
import { type EmailKey, reencryptRecipient, selectOutdatedRecipients } from '../db/recipient-repository.ts'

/**
 * Encrypts addresses with the first key of ENCRYPTION_KEY, so that a rotation can remove the old key. Repeated, because a replica that
 * was started before the rotation still encrypts with the old key. Addresses that cannot be encrypted again, for example because their
 * key was removed, are skipped until the next run.
 */
export function reencryptRecipients({ database, secrets, log, reencryptMs }: AppContext): PeriodicTask {
  return createPeriodicTask({
    name: 'reencrypt-email-recipients',
    everyMs: reencryptMs,
    log,
    async run(isStopping) {
      const failed = new Set<string>()
      while (!isStopping()) {
        const found = await selectOutdatedRecipients(database, secrets, batch + failed.size)
        const outdated = found.filter(({ id }) => !failed.has(id))
        for (const key of outdated) if (!(await reencrypt(key))) failed.add(key.id)
        if (outdated.length < batch) return
      }
    },
  })

  async function reencrypt(key: EmailKey): Promise<boolean> {
    try {
      await reencryptRecipient(database, secrets, key)
      return true
    } catch (error) {
      log.error({ err: error, store_id: key.storeId, aggregate_id: key.id }, 'email address re-encryption failed')
      return false
    }
  }
}

const batch = 100

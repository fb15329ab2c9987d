import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { type EndpointKey, lockEndpoint, reencryptHeaders, selectOutdatedHeaders } from '../db/endpoint-repository.ts'
import { reencryptSecret, selectOutdatedSecrets } from '../db/secret-repository.ts'

/**
 * Encrypts signing secrets and header values with the first key of ENCRYPTION_KEY, so that a rotation can remove the old key.
 * Repeated, because a replica that was started before the rotation still encrypts with the old key.
 */
export function reencryptSecrets(ctx: AppContext): PeriodicTask {
  const { database, secrets } = ctx
  return createPeriodicTask({
    name: 'reencrypt-webhook-secrets',
    everyMs: ctx.reencryptMs,
    log: ctx.log,
    run: async (isStopping) => {
      await inBatches(ctx, isStopping, {
        select: (limit) => selectOutdatedHeaders(database, secrets, limit),
        reencrypt: (key) =>
          database.transaction(async (tx) => {
            if (await lockEndpoint(tx, key.storeId, key.id)) await reencryptHeaders(tx, secrets, key)
          }),
      })
      await inBatches(ctx, isStopping, {
        select: (limit) => selectOutdatedSecrets(database, secrets, limit),
        reencrypt: (key) => reencryptSecret(database, secrets, key),
      })
    },
  })
}

/** Values that cannot be re-encrypted, for example because their key was removed, are skipped until the next run. */
async function inBatches<Key extends EndpointKey>(
  { log }: AppContext,
  isStopping: () => boolean,
  { select, reencrypt }: { select(limit: number): Promise<Key[]>; reencrypt(key: Key): Promise<void> },
): Promise<void> {
  const failed = new Set<string>()
  while (!isStopping()) {
    const found = await select(batch + failed.size)
    const outdated = found.filter((key) => !failed.has(nameOf(key)))
    for (const key of outdated) {
      try {
        await reencrypt(key)
      } catch (error) {
        failed.add(nameOf(key))
        const fields = { store_id: key.storeId, aggregate_id: key.id }
        log.error({ err: error, ...fields }, 'webhook secret re-encryption failed')
      }
    }
    if (outdated.length < batch) return
  }
}

function nameOf(key: EndpointKey): string {
  return Object.values(key).join()
}

const batch = 100

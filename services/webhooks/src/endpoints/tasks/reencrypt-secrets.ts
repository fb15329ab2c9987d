import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../../context.ts'
import { lockEndpoint, reencryptHeaders, selectOutdatedHeaders } from '../db/endpoint-repository.ts'
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
        first: { storeId: '0', id: '0' },
        select: (after) => selectOutdatedHeaders(database, secrets, after, batch),
        reencrypt: (key) =>
          database.transaction(async (tx) => {
            if (await lockEndpoint(tx, key.storeId, key.id)) await reencryptHeaders(tx, secrets, key)
          }),
      })
      await inBatches(ctx, isStopping, {
        first: { storeId: '0', id: '0', secretId: '0' },
        select: (after) => selectOutdatedSecrets(database, secrets, after, batch),
        reencrypt: (key) => reencryptSecret(database, secrets, key),
      })
    },
  })
}

async function inBatches<Key extends { storeId: string; id: string }>(
  { log }: AppContext,
  isStopping: () => boolean,
  parts: { first: Key; select(after: Key): Promise<Key[]>; reencrypt(key: Key): Promise<void> },
): Promise<void> {
  let last = parts.first
  while (!isStopping()) {
    const outdated = await parts.select(last)
    for (const key of outdated) {
      try {
        await parts.reencrypt(key)
      } catch (error) {
        const fields = { store_id: key.storeId, webhook_endpoint_id: key.id }
        log.error({ err: error, ...fields }, 'could not encrypt a secret of a webhook endpoint with the current key')
      }
    }
    if (outdated.length < batch) return
    last = outdated.at(-1) ?? last
  }
}

const batch = 100

import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { selectStaleIdentities, writeMatchValue } from '../db/refold-repository.ts'
import { normalizeIdentity } from '../domain/normalize-identity.ts'

/** Recomputes the match values that follow an earlier rule of `normalizeIdentity`. */
export function refoldTask(ctx: AppContext): PeriodicTask {
  const { log } = ctx
  return createPeriodicTask({
    name: 'refold-identities',
    everyMs,
    log,
    run: (isStopping) => refoldAll(ctx, isStopping),
  })
}

/** Replicas skip the rows of each other. */
export async function refoldAll({ database }: Pick<AppContext, 'database'>, isStopping = () => false): Promise<void> {
  let count = batchSize
  while (count === batchSize && !isStopping()) {
    count = await database.transaction(async (tx) => {
      const stale = await selectStaleIdentities(tx, batchSize)
      for (const identity of stale) {
        const { type, value } = identity
        // A stored value is valid, by the earlier rule at least.
        await writeMatchValue(tx, identity, normalizeIdentity(type, value)?.matchValue ?? value)
      }
      return stale.length
    })
  }
}

const everyMs = 60_000
const batchSize = 200

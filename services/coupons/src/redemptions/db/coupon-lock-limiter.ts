import { type Database, limitTransactions } from '@storekeep/common/postgres'

/**
 * The database for transactions that lock a coupon. Those of a coupon that everybody wants wait for each other; so that
 * not all connections of the process wait with them, one store has at most a quarter of the pool for this, and all
 * stores together a half. Who does not get a turn within two seconds is told that we are unavailable, as without this.
 */
export function createLedgerTurns(database: LedgerDatabase, poolSize: number): LedgerTurns {
  const ofAll = limitTransactions(database, shareOf(poolSize, 2), { maxWaitMs })
  const stores = new Map<string, { limited: LedgerDatabase; users: number }>()
  return (storeId) => ({
    async transaction(work) {
      const store = stores.get(storeId) ?? {
        limited: limitTransactions(ofAll, shareOf(poolSize, 4), { maxWaitMs }),
        users: 0,
      }
      stores.set(storeId, store)
      store.users += 1
      try {
        return await store.limited.transaction(work)
      } finally {
        store.users -= 1
        if (store.users === 0) stores.delete(storeId)
      }
    },
  })
}

const maxWaitMs = 2000

function shareOf(poolSize: number, part: number): number {
  return Math.max(1, Math.floor(poolSize / part))
}

export type LedgerTurns = (storeId: string) => LedgerDatabase

type LedgerDatabase = Pick<Database, 'transaction'>

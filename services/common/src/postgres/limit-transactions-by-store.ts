import type { Database } from './database.ts'
import { limitTransactions } from './limit-transactions.ts'

/**
 * Limits how many connections transactions may use that lock a contended row of a store, such as a coupon: a quarter of the pool
 * per store, half of it for all stores. Transactions on a popular coupon wait for each other; without the limit they would take
 * every connection of the process. A transaction that waits longer than two seconds fails with `service-unavailable`.
 *
 * @param poolSize the number of connections for transactions
 * @returns the limited database of a store
 */
export function limitTransactionsByStore(database: Transactions, poolSize: number): StoreLimiter {
  const ofAll = limitTransactions(database, shareOf(poolSize, 2), { maxWaitMs })
  const stores = new Map<string, { limited: Transactions; users: number }>()
  return (storeId) => ({
    query: database.query,
    async transaction(work, caller) {
      const store = stores.get(storeId) ?? {
        limited: limitTransactions(ofAll, shareOf(poolSize, 4), { maxWaitMs }),
        users: 0,
      }
      stores.set(storeId, store)
      store.users += 1
      try {
        return await store.limited.transaction(work, caller)
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

type StoreLimiter = (storeId: string) => Transactions

type Transactions = Pick<Database, 'query' | 'transaction'>

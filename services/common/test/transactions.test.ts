import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import {
  createDatabase,
  isUniqueViolation,
  limitTransactions,
  type Transaction,
  timeLimits,
} from '../src/postgres/index.ts'
import { changeTimeLimits } from '../testing/test-database.ts'
import { silentLog, waitFor } from './harness.ts'
import { useDatabase } from './use-database.ts'

const setup = useDatabase()
const { names } = setup

describe('a transaction', () => {
  it('commits a transaction, then calls afterCommit, and returns its result', async () => {
    const committed: string[] = []
    const result = await setup.test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await Promise.all(['a', 'b'].map((name) => tx.query(sql`insert into thing (name) values (${name})`)))
      expect(committed).toEqual([])
      return 42
    })
    expect([result, committed, await names()]).toEqual([42, ['called'], ['a', 'b']])
  })

  it('rolls back a transaction that throws, without calling afterCommit', async () => {
    const committed: string[] = []
    const work = setup.test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await tx.query(sql`insert into thing (name) values ('c')`)
      throw new Error('rollback')
    })
    await expect(work).rejects.toThrow('rollback')
    expect([committed, await names()]).toEqual([[], ['a', 'b']])
  })

  it('fails a transaction with a failed statement whose error was ignored', async () => {
    const work = setup.test.database.transaction(async (tx) => {
      await tx.query(sql`insert into thing (name) values ('d')`)
      await tx.query(sql`select nonsense`).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await names()).toEqual(['a', 'b'])
  })

  it('executes statements queued for the commit, even if there are no others', async () => {
    await setup.test.database.transaction(async (tx) =>
      tx.enqueueBeforeCommit(sql`insert into thing (name) values ('late')`),
    )
    await setup.test.database.transaction(async (tx) => {
      tx.enqueueBeforeCommit(sql`update thing set name = 'later' where name = 'late'`)
      tx.enqueueBeforeCommit(sql`delete from thing where name = 'later'`)
      expect(await tx.query(sql`select name from thing where name = 'late'`)).toHaveLength(1)
    })
    expect(await names()).toEqual(['a', 'b'])
    await setup.test.database.transaction(async () => 'nothing at all')
  })

  it('rolls back when a statement queued for the commit fails', async () => {
    const committed: string[] = []
    const work = setup.test.database.transaction(async (tx) => {
      tx.afterCommit(() => committed.push('called'))
      await tx.query(sql`insert into thing (name) values ('c')`)
      tx.enqueueBeforeCommit(sql`insert into thing (name) values ('a')`)
      tx.enqueueBeforeCommit(sql`insert into thing (name) values ('d')`)
    })
    await expect(work).rejects.toSatisfy((error) => isUniqueViolation(error, 'thing_name_key'))
    expect([committed, await names()]).toEqual([[], ['a', 'b']])
  })

  it('rejects statements of a transaction that has ended', async () => {
    const tx = await setup.test.database.transaction(async (tx) => tx)
    await expect(tx.query(sql`select 1`)).rejects.toThrow('has ended')
  })

  it('identifies the violated unique constraint', async () => {
    const error = await setup.test.database.query(sql`insert into thing (name) values ('a')`).catch((e: unknown) => e)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'thing_name_key')).toBe(true)
    expect(isUniqueViolation(error, 'thing_pkey')).toBe(false)
  })

  it('limits concurrent transactions, whether they succeed or fail', async () => {
    const limited = limitTransactions(setup.test.database, 2)
    let running = 0
    let most = 0
    const work = (n: number) =>
      limited.transaction(async (tx) => {
        running += 1
        most = Math.max(most, running)
        await tx.query(sql`select pg_sleep(0.02)`)
        running -= 1
        if (n % 2 === 0) throw new Error('rollback')
        return n
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => work(n)))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 8 }, (_, n) => n % 2 === 1),
    )
    expect([most, running, await work(9)]).toEqual([2, 0, 9])
  })

  it('rejects a transaction that cannot start in time as unavailable, and continues with the others', async () => {
    const limited = limitTransactions(setup.test.database, 1, { maxWaitMs: 20 })
    const met = rendezvous(2)
    const first = limited.transaction(async () => met())
    await expect(limited.transaction(async () => 'too late')).rejects.toMatchObject({ code: 'service-unavailable' })
    await Promise.all([first, met()])
    expect(await limited.transaction(async () => 'in time')).toBe('in time')
  })

  it('retries deadlocked transactions until both succeed', async () => {
    const met = rendezvous(2)
    let runs = 0
    const swap = (first: string, second: string) =>
      setup.test.database.transaction(async (tx) => {
        runs += 1
        await tx.query(sql`update thing set version = version + 1 where name = ${first}`)
        await met()
        await tx.query(sql`update thing set version = version + 1 where name = ${second}`)
      })
    await Promise.all([swap('a', 'b'), swap('b', 'a')])
    const rows = await setup.test.database.query(sql`select version from thing where name in ('a', 'b')`)
    expect(rows).toEqual([{ version: '3' }, { version: '3' }])
    // Postgres usually aborts one of them; a busy server may abort both.
    expect(runs).toBeGreaterThan(2)
  })

  it('reports statement and lock timeouts as unavailable', async () => {
    await changeTimeLimits(setup.test.url, { statement_timeout: 100, lock_timeout: 50 })
    const impatient = createDatabase({ url: setup.test.url, applicationName: 'impatient', log: silentLog })
    try {
      await expect(impatient.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: 'service-unavailable' })
      await setup.test.database.transaction(async (tx) => {
        await tx.query(sql`update thing set version = 9 where name = 'a'`)
        const blocked = impatient.transaction((other) =>
          other.query(sql`update thing set version = 1 where name = 'a'`),
        )
        await expect(blocked).rejects.toMatchObject({ code: 'service-unavailable' })
      })
      await expect(impatient.ping()).resolves.toBeUndefined()
    } finally {
      await changeTimeLimits(setup.test.url, timeLimits)
      await impatient.close()
    }
  })

  it('ends a transaction that waits for a lock when its caller leaves, and only then', async () => {
    const ended: string[] = []
    const rename = (name: string) => (tx: Transaction) =>
      tx.query(sql`update thing set version = version + 1 where name = ${name}`)
    const waiting = (count: number) =>
      waitFor(async () => {
        const rows = await setup.test.database.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return rows.length === count
      }, `${count} transactions to wait`)
    const caller = new AbortController()
    await setup.test.database.transaction(async (tx) => {
      await tx.query(sql`update thing set version = 0`)
      // Negative control: without a signal the transaction waits until its lock timeout.
      const other = setup.test.database.transaction(rename('a')).catch(() => ended.push('lock timeout'))
      await waiting(1)
      const canceled = setup.test.database.transaction(rename('b'), caller).finally(() => ended.push('caller left'))
      canceled.catch(() => undefined)
      await waiting(2)
      caller.abort()
      await expect(canceled).rejects.toMatchObject({ code: 'service-unavailable' })
      await other
    })
    expect(ended).toEqual(['caller left', 'lock timeout'])
    const late = setup.test.database.transaction(rename('b'), caller)
    await expect(late).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await setup.test.database.query(sql`select version from thing where name = 'b'`)).toEqual([{ version: '0' }])
  })

  it('sends no statement and no commit of a transaction whose caller has left', async () => {
    for (const leavesFirst of [true, false]) {
      const caller = new AbortController()
      const work = setup.test.database.transaction(async (tx) => {
        if (!leavesFirst) await tx.query(sql`update thing set version = 7 where name = 'b'`)
        caller.abort()
        if (leavesFirst) await tx.query(sql`update thing set version = 7 where name = 'b'`)
      }, caller)
      await expect(work).rejects.toMatchObject({ code: 'service-unavailable' })
    }
    expect(await setup.test.database.query(sql`select version from thing where name = 'b'`)).toEqual([{ version: '0' }])
  })

  it('releases the locks of a transaction whose process is unresponsive', async () => {
    await changeTimeLimits(setup.test.url, { idle_in_transaction_session_timeout: 200 })
    const silent = createDatabase({ url: setup.test.url, applicationName: 'silent', log: silentLog })
    const isFree = async () => {
      const [row] = await setup.test.database.query<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(4711) as free`,
      )
      return row?.free === true
    }
    const work = silent.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(4711)`)
      expect(await isFree()).toBe(false)
      await waitFor(isFree, 'the lock to be free')
      await tx.query(sql`select 1`)
    })
    await expect(work).rejects.toMatchObject({ code: 'service-unavailable' })
    await changeTimeLimits(setup.test.url, timeLimits)
    await silent.close()
  })
})

/** Blocks callers until `count` have arrived. */
function rendezvous(count: number): () => Promise<void> {
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  return () => {
    waiting += 1
    if (waiting >= count) gate.resolve()
    return gate.promise
  }
}

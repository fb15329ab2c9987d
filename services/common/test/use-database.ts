import sql from 'sql-template-tag'
import { afterAll, beforeAll } from 'vitest'
import { onServer } from '../testing/test-database.ts'
import { createTestDatabase, type TestDatabase, waitFor } from './harness.ts'

/** A database whose time limits are not prolonged. */
export function useDatabase() {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase({ timeLimitFactor: 1 })
  })
  afterAll(() => test.drop())

  function names(): Promise<string[]> {
    return test.database
      .query<{ name: string }>(sql`select name from thing order by name`)
      .then((rows) => rows.map(({ name }) => name))
  }

  async function untilSleeping(seconds: number, count: number): Promise<void> {
    const running = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and query like '%pg_sleep(${seconds})%' and state = 'active'`
    await onServer(test.adminUrl, (client) =>
      waitFor(async () => (await client.query(running)).rowCount === count, `${count} scans to run`),
    )
  }

  return {
    get test() {
      return test
    },
    names,
    untilSleeping,
  }
}

import { type Database, timeLimits } from '@storekeep/common/postgres'
import { changeTimeLimits, type TestDatabase } from '@storekeep/common/testing/database'
import { onServer, waitFor } from '@storekeep/test/kit'
import sql from 'sql-template-tag'
import { expect } from 'vitest'

/** Expects a scan of the database to end, also on the server, when its caller leaves. */
export async function expectCancellation(database: Database, test: TestDatabase): Promise<void> {
  const caller = new AbortController()
  const sleeping = (count: number) =>
    onServer(test.adminUrl, (client) =>
      waitFor(`${count} scans to run`, async () => {
        const running = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
        return (await client.query(running)).rowCount === count
      }),
    )
  // Neither the role nor the process ends the scan before.
  await changeTimeLimits(test.urlOf('pooled'), { statement_timeout: 3_600_000 })
  const scan = database.scans(caller).query(sql`select pg_sleep(3600)`)
  const canceled = expect(scan).rejects.toMatchObject({ code: 'service-unavailable' })
  await sleeping(1)
  caller.abort()
  await canceled
  await sleeping(0)
  await changeTimeLimits(test.urlOf('pooled'), timeLimits)
}

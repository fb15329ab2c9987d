import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase } from '../src/postgres/index.ts'
import { createMetrics } from '../src/telemetry/index.ts'
import { createTestDatabase, silentLog, type TestDatabase, waitFor } from './harness.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

it('pool metrics count used and idle connections and waiting requests', async () => {
  const metrics = createMetrics({ service: 'test' })
  const database = createDatabase({
    url: test.url,
    applicationName: 'pool',
    connections: { transactions: 1 },
    log: silentLog,
    metrics,
  })
  const read = async (name: string) => {
    const line = new RegExp(`^${name}\\{db_client_connection_pool_name="transactions"[^}]*\\} (\\d+)$`, 'gm')
    return [...(await metrics.registry.metrics()).matchAll(line)].map(([, value]) => Number(value))
  }
  const holding = Promise.withResolvers<void>()
  const holder = database.transaction(async (tx) => {
    await tx.query(sql`select 1`)
    await holding.promise
  })
  const waiter = database.transaction((tx) => tx.query(sql`select 1`))

  await waitFor(async () => (await read('db_client_connection_pending_requests'))[0] === 1, 'a waiting request')
  await waitFor(async () => (await read('db_client_connection_count'))[1] === 1, 'a used connection')
  expect(await read('db_client_connection_max')).toEqual([1])

  holding.resolve()
  await Promise.all([holder, waiter])
  expect(await read('db_client_connection_pending_requests')).toEqual([0])
  await waitFor(async () => (await read('db_client_connection_count'))[0] === 1, 'an idle connection')
  await database.close()
})

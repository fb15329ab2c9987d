import { planPage } from '@storekeep/common/page'
import type { Queryable } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { findStockUsage } from '../src/products/db/stock-repository.ts'
import { selectSessions } from '../src/sessions/db/session-repository.ts'
import type { SessionFilter } from '../src/sessions/domain/session-filter.ts'
import { useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const storeId = randomId()
const customerId = '7'

beforeAll(async () => {
  // The expired sessions are the oldest, so a plan that scans from the newest reads the whole table.
  await checkouts.database.query(sql`
    insert into checkout_session (id, store_id, customer_id, status, currency, subtotal_amount, coupon_discount_amount,
      affiliate_discount_amount, total_amount, auto_redirect, metadata, token_hash, expires_at, created_by, created_at)
    select n, ${storeId}, n % 1000, case when n <= 500 then 'expired' else 'completed' end, 'eur', 0, 0, 0, 0, false,
      '{}', sha256(n::text::bytea), now(), 'internal', now()
    from generate_series(1, 20000) n`)
  await checkouts.database.query(sql`analyze checkout_session`)
})

/** The plan with which the page was read. */
async function planOf(filter: Partial<SessionFilter>): Promise<string> {
  const statements: Sql[] = []
  const record = async (statement: Sql) => {
    statements.push(statement)
    return []
  }
  const whole = { status: undefined, customerId: undefined, ...filter }
  await selectSessions({ query: record as Queryable['query'] }, storeId, whole, planPage(), new Date())
  return await explainAnalyze(statements[0])
}

async function explainAnalyze(statement: Sql | undefined): Promise<string> {
  const lines = await checkouts.database.query<{ 'QUERY PLAN': string }>(sql`explain analyze ${statement}`)
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

describe('in a store with many sessions', () => {
  it.each<[string, Partial<SessionFilter>, string]>([
    ['without a filter', {}, 'checkout_session_pkey'],
    ['of completed sessions', { status: 'completed' }, 'checkout_session_(of_status|pkey)'],
    ['of expired sessions', { status: 'expired' }, 'checkout_session_of_status'],
    ['of a customer', { customerId }, 'checkout_session_of_customer'],
    ['of a customer and expired', { customerId, status: 'expired' }, 'checkout_session_of_(customer|status)'],
  ])('a page %s is read from an index and skips few rows', async (_what, filter, index) => {
    const plan = await planOf(filter)
    expect(plan).toMatch(new RegExp(`Index Scan.* (using|on) ${index}`))
    expect(plan).not.toContain('Seq Scan on checkout_session')
    const skipped = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count))
    expect(Math.max(0, ...skipped)).toBeLessThan(1000)
  })

  it('the stock of a product is counted from its indexes, without reading other products and customers', async () => {
    const now = new Date()
    await checkouts.database.query(sql`
      insert into stock_reservation (store_id, checkout_id, position, product_id, customer_id, quantity, reserved_at)
      select ${storeId}, n, 1, n % 100 + 1, n, 1, ${now}::timestamptz - n * interval '1 hour'
      from generate_series(1, 20000) n`)
    await checkouts.database.query(sql`analyze stock_reservation`)
    const window = { enabled: true, quantity: 9, timeValue: 30, timeScale: 'day', includeTrials: false } as const
    const query = {
      productId: '8',
      customerId: '7',
      storeStockLimit: window,
      customerStockLimit: { ...window, timeValue: null, timeScale: null },
      stockLimitDoNotIncludeRemoved: false,
    }
    const statements: Sql[] = []
    const record = async (statement: Sql) => {
      statements.push(statement)
      return await checkouts.database.query(statement)
    }
    const usage = await findStockUsage({ query: record as Queryable['query'] }, storeId, [query], now)
    expect(usage).toEqual([{ byStore: 8, byCustomer: 1 }])
    const plan = await explainAnalyze(statements[0])
    expect(plan).toMatch(/Index (Only )?Scan.* (using|on) stock_reservation_of_product/)
    expect(plan).toMatch(/Index (Only )?Scan.* (using|on) stock_reservation_of_customer/)
    expect(plan).not.toContain('Seq Scan on stock_reservation')
  })

  it('expired sessions are listed in one order, whether or not the sweep has run', async () => {
    const store = randomId()
    // In one transaction, which the sweep does not see.
    await checkouts.database.transaction(async (tx) => {
      await tx.query(sql`
        insert into checkout_session (id, store_id, customer_id, status, currency, subtotal_amount,
          coupon_discount_amount, affiliate_discount_amount, total_amount, auto_redirect, metadata, token_hash,
          expires_at, created_by, created_at)
        select n, ${store}, 7, case when n % 2 = 0 then 'expired' else 'open' end, 'eur', 0, 0, 0, 0, false, '{}',
          sha256(('over' || n)::bytea), now(), 'internal', now()
        from generate_series(1, 9) n`)
      await tx.query(sql`
        insert into checkout_line (store_id, checkout_id, position, name, quantity, unit_price, options_amount,
          discount_amount, total_amount, subscription, trial, custom_variables, metadata, payout_splits)
        select store_id, id, 1, 'VIP rank', 1, 0, 0, 0, 0, false, false, '{}', '{}', '[]'
        from checkout_session where store_id = ${store}`)
      const over: SessionFilter = { status: 'expired', customerId: undefined }
      const read = async (page: Parameters<typeof planPage>[0]) =>
        (await selectSessions(tx, store, over, planPage(page), new Date(Date.now() + 60_000))).map(({ id }) => id)
      expect(await read({ limit: 3, asc: false })).toEqual(['9', '8', '7', '6'])
      expect(await read({ limit: 3, asc: true, after: '4' })).toEqual(['5', '6', '7', '8'])
      expect(await read({ limit: 3, asc: true, before: '3' })).toEqual(['2', '1'])
    })
  })
})

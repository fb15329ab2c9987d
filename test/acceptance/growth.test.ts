import {
  createExamples,
  fresh,
  onServer,
  openShop,
  operationsOf,
  pathOf,
  startProduct,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablesToFill } from './tables-to-fill.ts'

// The cost of a request must not grow with the tables. Every table gets many rows of one store. Then no request may read a
// table sequentially, nor may an index scan read many more entries than a page has. Postgres counts both, so this covers
// every statement, including the relay's and periodic tasks'. The search service has its own test.
const rowsPerTable = 10_000
/** More often than Postgres plans a prepared statement for its actual parameters (5), so that generic plans run too. */
const repeats = 7
/** Average over the scans of an index. The longest page has 100 records. */
const mostEntriesPerScan = 200
/** Indexes of which one scan may read more. */
const longerScans: Record<string, number> = {
  // Maintenance may run at any time. It reads the published rows of the outbox in batches of at most 1,000.
  outbox_published: 1_000,
  // A tax report reads all orders of its period.
  store_order_created_at: 2 * rowsPerTable,
}

const product = await startProduct([{}])
afterAll(() => product.stop())
const store = await product.createStore({ game: 'minecraft' })
const shop = openShop(store)
const operations = operationsOf(product.contract.description).filter(({ auth }) => auth === 'key')
const examples = createExamples(operations, product.shopper)

beforeAll(async () => {
  await firstVerification()
  const customer = await shop.customer({ steam_id: fresh.steamId(), minecraft_uuid: fresh.uuid() })
  const coupon = await shop.coupon({ usable_by_customer_id: customer.id })
  const { id: productId } = await shop.product({ slug: fresh.code() })
  const { body } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined)
  const cart = { lines: [{ product_id: productId, quantity: 1 }] }
  const headers = { authorization: `Customer ${body.token}`, 'x-service-store-id': store.id }
  const { status, text } = await product.http.request('PUT', '/v1/store/cart/lines', { json: cart, headers })
  expect(status, text).toBe(200)
  await shop.affiliateLink()
  await shop.tag({ slug: fresh.code() })
  await examples.newChild(store, 'customVariableId')
  webhookEndpointId = (await examples.newRecords(store, ['webhookEndpointId', 'deliveryId'])).webhookEndpointId ?? ''
  await shop.ban('steam', fresh.steamId())
  await store.post(`/customers/${customer.id}/portal-sessions`, {})
  await shop.session({
    customer_id: customer.id,
    coupon_id: coupon.id,
    lines: [{ product_id: productId, quantity: 1 }],
  })
  const orderId = await examples.newChild(store, 'orderId')
  await store.post(`/orders/${orderId}/refunds`, { amount: 1 })
  for (const [service, tables] of Object.entries(tablesToFill)) {
    for (const [table, changes] of Object.entries(tables)) await fill(service, table, changes)
  }
})

it('requests read no more rows as tables grow', async () => {
  await startCounting()
  for (const operation of operations) {
    let path = pathOf(operation, store.id, await examples.newChildren(store, operation))
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const json = await examples.newBody(store, operation)
      const headers = { authorization: `APIKey ${store.apiKey}` }
      const { status, text } = await product.http.request(operation.method, path, { json, headers })
      expect(status, text).toBe(operation.success)
      // These end what they act on.
      if (operation.method === 'DELETE' || operation.template.endsWith('/release'))
        path = pathOf(operation, store.id, await examples.newChildren(store, operation))
    }
  }
  for (const query of [...queries, ...deliveryQueries()]) await getRepeatedly(query)
  expect(await excessiveScans()).toEqual([])
})

it('a lookup whose index is missing would be detected', async () => {
  await onServer(product.databaseUrlOf('customers'), (client) => client.query('drop index customer_steam_id_unique'))
  await startCounting()
  await getRepeatedly('/customers/lookup?steam_id=76561198000009999')
  expect(await excessiveScans()).toEqual([expect.stringMatching(/^customers\.customer/)])
})

/**
 * Filters and orders that the examples do not use. Omitted are filters that read the store's records in list order until
 * the page is full: substrings of customer names (5,000 records at most, then an index), substrings of ban reasons, and inactive coupons.
 */
const queries = [
  ...[
    '/customers',
    '/bans',
    '/coupons',
    '/checkouts',
    '/products',
    '/orders',
    '/payments',
    '/webhook-endpoints',
  ].flatMap((list) => [
    `${list}?limit=100`,
    `${list}?limit=100&asc=true`,
    `${list}?limit=10&after=100000000000000000`,
    `${list}?limit=10&asc=true&after=100000000000000000`,
  ]),
  '/customers/lookup?steam_id=76561198000009998',
  '/customers/lookup?xbox_xuid=2533274800009998',
  '/customers/lookup?name=Player%209998',
  '/customers/lookup?minecraft_java_name=Player9998',
  '/customers/lookup?minecraft_bedrock_name=Player9998',
  '/bans?ban_type=steam',
  '/bans?ban_type=email',
  '/bans?ban_type_value=76561198000009998',
  '/bans?ban_type=steam&ban_type_value=76561198000009998',
  '/coupons?status=active',
  '/coupons?type=generated',
  '/coupons?type=manual',
  '/coupons?usable_by_customer_id=1',
  '/checkouts?status=open',
  '/checkouts?status=completed',
  '/checkouts?customer_id=1',
  '/orders?status=charged_back',
  '/orders?customer_id=1',
  '/orders?billing_email=shopper1@example.com',
  '/payments?status=processing',
  '/payments?customer_id=1',
  '/payments?billing_email=shopper1@example.com',
  '/payments?checkout_id=1',
]

let webhookEndpointId = ''

/** Filters by other states and by event types read the deliveries in list order. */
function deliveryQueries(): string[] {
  const list = `/webhook-endpoints/${webhookEndpointId}/deliveries`
  return [
    `${list}?limit=100`,
    `${list}?limit=100&asc=true`,
    `${list}?limit=10&after=100000000000000000`,
    `${list}?status=failed`,
  ]
}

async function getRepeatedly(path: string): Promise<void> {
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const { status, text } = await store.get(path)
    expect([200, 404], text).toContain(status)
  }
}

/**
 * After the start, search compares its index with the records of all services. It would repeat that for copies, because
 * the index contains none of them.
 */
async function firstVerification(): Promise<void> {
  await waitFor('the search index to be verified', async () => {
    const texts = await Promise.all(product.address.metricsUrls.map(async (url) => (await fetch(url)).text()))
    // Orders are verified last.
    return texts.some((text) => text.includes('search_index_drift_documents{type="order"'))
  })
}

/** Copies the row that a request created. `changes` makes the copies unique; `n` is the number of the copy. */
async function fill(service: string, table: string, changes: Readonly<Record<string, string>>): Promise<void> {
  await onServer(product.databaseUrlOf(service), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
      [table],
    )
    const names = rows.map(({ name }) => name)
    const values = names.map((name) => changes[name] ?? name)
    await client.query(
      `insert into ${table} (${names}) select ${values}
       from (select * from ${table} limit 1) original, generate_series(1, ${rowsPerTable}) n`,
    )
    await client.query(`vacuum analyze ${table}`)
  })
}

async function startCounting(): Promise<void> {
  await flushCounts()
  await onServer(product.address.adminUrl, (client) => client.query('select pg_stat_reset()'))
}

/** A connection adds what it has counted to the shared counts when it ends. */
async function flushCounts(): Promise<void> {
  await onServer(product.address.adminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    const pids = rows.map(({ pid }) => pid)
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids])
    await waitFor('the connections to end', async () => {
      const { rowCount } = await client.query('select from pg_stat_activity where pid = any($1)', [pids])
      return rowCount === 0
    })
  })
}

/** Scans since `startCounting` that a larger table would make slower. */
async function excessiveScans(): Promise<string[]> {
  await flushCounts()
  const found: string[] = []
  for (const [service, tables] of Object.entries(tablesToFill)) {
    const { rows } = await onServer(product.databaseUrlOf(service), (client) =>
      client.query<{ scan: string }>(
        `select format('%s.%s: %s sequential scans', schemaname, relname, seq_scan) as scan from pg_stat_user_tables
         where schemaname = current_schema() and relname = any($1) and seq_scan >= $3::int
         union all
         select format('%s.%s by %s: %s entries in %s scans', schemaname, relname, indexrelname, idx_tup_read, idx_scan)
         from pg_stat_user_indexes
         where schemaname = current_schema() and relname = any($1)
           and idx_tup_read > idx_scan * coalesce(($4::jsonb ->> indexrelname::text)::int, $2::int)`,
        [Object.keys(tables), mostEntriesPerScan, repeats, JSON.stringify(longerScans)],
      ),
    )
    found.push(...rows.map(({ scan }) => scan))
  }
  return found
}

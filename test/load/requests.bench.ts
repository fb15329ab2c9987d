import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { freePort } from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'
import { forEachService } from '@storekeep/local/services'
import { couponTerms, onServer, type System, startSystem, type TestStore } from '@storekeep/test/kit'
import { cpuTimeOf, cpuTimeOfTree, ownServers } from './cpu-time.ts'
import { type LoadRequest, type LoadResult, sendAll } from './http-load.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'
import { whenSettled } from './when-settled.ts'

/**
 * Compares the product with a minimal server (the floor): both get the same requests in alternation, in one run. Read the
 * ratios of CPU time per request: they are stable on a noisy machine, absolute figures are not.
 */
const rounds = Number(process.env.ROUNDS ?? 5)
const perRound = Number(process.env.REQUESTS ?? 3000)
const connections = Number(process.env.CONNECTIONS ?? 64)
const customers = Number(process.env.CUSTOMERS ?? 100_000)
/** The requests to measure, "W2,W4"; all by default. */
const chosen = process.env.KINDS?.split(',')
/** A folder for a CPU profile of each process (.cpuprofile). */
const profiles = process.env.PROFILES

const common = {
  LOG_LEVEL: 'info',
  ...(profiles !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
}
const servers = ownServers()
const system = await startSystem({
  schemas: ['floor'],
  settings: {
    ...forEachService(() => common),
    gateway: { ...common, RATE_LIMIT_API_KEY_PER_MINUTE: '100000000' },
  },
})
try {
  const store = await system.createStore()
  const ids = await fillCustomers(system, store.id)
  const floor = await startFloor(system, store.id)
  const product: Side = {
    url: system.gateways[0]?.url ?? '',
    pids: productPids(system),
    settled: () => whenSettled(system),
  }
  const kinds = (await describeKinds(store, ids, floor.tokenOf)).filter(
    ({ name }) => chosen?.some((one) => name.startsWith(one)) ?? true,
  )
  print(`${rounds} rounds of ${perRound} requests, ${connections} connections, ${customers} customers`)
  for (const kind of kinds) {
    const results: Record<'floor' | 'product', Measured[]> = { floor: [], product: [] }
    await measure(floor, kind.floor, 500)
    await measure(product, kind.product, 1500)
    for (let round = 0; round < rounds; round += 1) {
      results.floor.push(await measure(floor, kind.floor, perRound))
      results.product.push(await measure(product, kind.product, perRound))
    }
    print(line(kind.name, results))
  }
  await floor.stop()
} finally {
  await system.stop()
}

async function measure(side: Side, make: (index: number) => LoadRequest, count: number): Promise<Measured> {
  const before = cpuTimes(side)
  const result = await sendAll({ url: side.url, count, connections, make })
  // On a busy machine some requests time out. More than a few would make the work incomparable.
  if (result.failed > count / 50) throw new Error(`${result.failed} of ${count} requests did not return 200.`)
  await side.settled?.()
  const after = cpuTimes(side)
  const parts = new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count]))
  const cpuMs = Object.keys(side.pids).reduce((sum, name) => sum + (parts.get(name) ?? 0), 0)
  return { ...result, cpuMs, parts }
}

function cpuTimes({ pids }: Side): Map<string, number> {
  const times = new Map<string, number>()
  for (const [name, pid] of Object.entries(pids)) times.set(name, cpuTimeOf([pid]))
  for (const [name, pid] of Object.entries(servers)) times.set(name, cpuTimeOfTree(pid))
  return times
}

function line(name: string, { floor, product }: Record<'floor' | 'product', Measured[]>): string {
  const of = (all: Measured[], pick: (one: Measured) => number) => median(all.map(pick))
  const ratio = median(product.map(({ cpuMs }, index) => cpuMs / (floor[index]?.cpuMs ?? Number.NaN)))
  const side = (all: Measured[]) => {
    const parts = [...(all[0]?.parts.keys() ?? [])].flatMap((part) => {
      const ms = of(all, (one) => one.parts.get(part) ?? 0)
      return ms < 0.001 ? [] : [`${part} ${ms.toFixed(3)}`]
    })
    return `${of(all, (one) => one.cpuMs).toFixed(3)} ms CPU, ${of(all, (one) => one.perSecond).toFixed(0)}/s, p50 ${of(all, (one) => one.p50).toFixed(1)} ms, p99 ${of(all, (one) => one.p99).toFixed(1)} ms\n             ${parts.join(', ')}`
  }
  return `${name}: ${ratio.toFixed(1)} × floor\n  floor    ${side(floor)}\n  product  ${side(product)}`
}

async function describeKinds(
  store: TestStore,
  ids: string[],
  tokenOf: (id: string) => Promise<string>,
): Promise<Kind[]> {
  const base = `/v1/stores/${store.id}`
  const key = { authorization: `APIKey ${store.apiKey}` }
  const json = { ...key, 'content-type': 'application/json' }
  const anyId = (index: number) => ids[(index * 7919) % ids.length] ?? ''
  const tokens = await Promise.all(
    ids.slice(0, 50).map(async (id) => {
      const { body } = await store.post<{ token: string }>(`/customers/${id}/tokens`, undefined)
      return { product: body.token, floor: await tokenOf(id) }
    }),
  )
  let count = 0
  const newCustomer = () => ({ steam_id: newSteamId(count++), name: `Robin ${randomBytes(4).toString('hex')}` })
  const same = (make: (index: number) => LoadRequest) => ({ floor: make, product: make })
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.post('/coupons', coupon(index))))
  return [
    {
      name: 'W1 customer by id',
      ...same((index) => ({ method: 'GET', path: `${base}/customers/${anyId(index)}`, headers: key })),
    },
    {
      name: 'W2 create customer',
      ...same(() => ({
        method: 'POST',
        path: `${base}/customers`,
        headers: json,
        body: JSON.stringify(newCustomer()),
      })),
    },
    {
      name: 'W3 who am I',
      floor: (index) => ({
        method: 'GET',
        path: `${base}/who`,
        headers: { authorization: `Customer ${tokens[index % tokens.length]?.floor}` },
      }),
      product: (index) => ({
        method: 'GET',
        path: '/v1/store/customer',
        headers: {
          authorization: `Customer ${tokens[index % tokens.length]?.product}`,
          'x-service-store-id': store.id,
        },
      }),
    },
    {
      name: 'W4 list 100 coupons',
      ...same(() => ({ method: 'GET', path: `${base}/coupons?limit=100`, headers: key })),
    },
    {
      name: 'W5 mint a token',
      ...same((index) => ({ method: 'POST', path: `${base}/customers/${anyId(index)}/tokens`, headers: key })),
    },
  ]
}

function coupon(index: number) {
  return { ...couponTerms, code: `LOAD${index}` }
}

async function fillCustomers({ databaseUrlOf }: System, storeId: string): Promise<string[]> {
  return onServer(databaseUrlOf('customers'), async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into customer (store_id, steam_id, name, folded_name, search_text, created_at)
       select $1, 76561198100000000 + n, 'Customer ' || n, 'customer ' || n, 'customer ' || n, now()
       from generate_series(1, $2::int) n returning id::text`,
      [storeId, customers],
    )
    await client.query('analyze customer')
    return rows.map(({ id }) => id)
  })
}

async function startFloor(system: System, storeId: string): Promise<Floor> {
  const databaseUrl = system.databaseUrlOf('floor')
  await onServer(databaseUrl, async (client) => {
    await client.query(`
      create table customer (id bigserial, store_id bigint, steam_id bigint unique, name text, metadata jsonb default '{}',
        version bigint default 1, created_at timestamptz default now(), updated_at timestamptz, primary key (store_id, id));
      create table coupon (id bigserial, store_id bigint, code text, enabled boolean, duration text, discount_type text,
        discount_amount bigint, minimum_order_value bigint, note text, limits jsonb, created_by text,
        created_at timestamptz default now(), primary key (store_id, id))`)
    await client.query(
      `insert into coupon (store_id, code, enabled, duration, discount_type, discount_amount, minimum_order_value, limits, created_by)
       select $1, 'LOAD' || n, true, 'once', 'percent', 100, 0, '{"store":0,"customer":0}', 'api_key:1'
       from generate_series(1, 100) n`,
      [storeId],
    )
  })
  // The same customers with the same ids, so that both sides get the same requests.
  const rows = await onServer(system.databaseUrlOf('customers'), (client) =>
    client.query('select id::text, store_id::text, steam_id::text, name from customer'),
  )
  await onServer(databaseUrl, (client) =>
    client.query(
      `insert into customer (id, store_id, steam_id, name)
       select (r->>'id')::bigint, (r->>'store_id')::bigint, (r->>'steam_id')::bigint, r->>'name' from json_array_elements($1) r`,
      [JSON.stringify(rows.rows)],
    ),
  )
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    name: 'floor',
    command: process.execPath,
    args: [fileURLToPath(new URL('floor-server.ts', import.meta.url))],
    logFile: `${system.address.logDirectory}/floor.log`,
    stopTimeoutMs: 5000,
    spawn: {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        REDIS_URL: system.address.redisUrl,
        TOKEN_KEY: 'floor',
        PORT: String(port),
      },
      cwd: process.cwd(),
    },
  })
  const path = (id: string) => `/v1/stores/${storeId}/customers/${id}/tokens`
  await waitUntilReady(child, async () => void (await fetch(url + path('1'))))
  return {
    url,
    pids: { floor: child.pid },
    tokenOf: async (id) => ((await (await fetch(url + path(id))).json()) as { token: string }).token,
    stop: () => child.stop(),
  }
}

function productPids(system: System): Record<string, number> {
  return { gateway: system.gateways[0]?.pid ?? 0, ...forEachService((name) => system[name].pid) }
}

function newSteamId(index: number): string {
  return String(76_561_198_200_000_000n + BigInt(index))
}

interface Side {
  url: string
  /** The processes by name. Servers such as the database belong to neither side. */
  pids: Record<string, number>
  /** Waits for the asynchronous work of the requests. */
  settled?(): Promise<void>
}

interface Floor extends Side {
  tokenOf(id: string): Promise<string>
  stop(): Promise<unknown>
}

interface Measured extends LoadResult {
  /** CPU time of the side's processes per request. */
  cpuMs: number
  /** CPU time per request of each process, servers included. */
  parts: Map<string, number>
}

interface Kind {
  name: string
  floor(index: number): LoadRequest
  product(index: number): LoadRequest
}

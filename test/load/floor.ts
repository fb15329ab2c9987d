import { fileURLToPath } from 'node:url'
import { freePort } from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'
import { onServer, type System } from '@storekeep/test/kit'

/**
 * Starts the minimal server (floor-server.ts) with the customers of the product, under the same ids, so that both sides
 * get the same requests, and with a coupon table whose rows have the fields of the given coupons, so that both sides send
 * lists of the same size.
 */
export async function startFloor(
  system: System,
  storeId: string,
  coupons: readonly Record<string, unknown>[],
): Promise<Floor> {
  const databaseUrl = system.databaseUrlOf('floor')
  await copyCustomers(system)
  await fillCoupons(databaseUrl, coupons)
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
        LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
        DATABASE_URL: databaseUrl,
        REDIS_URL: system.address.redisUrl,
        TOKEN_KEY: 'floor',
        PORT: String(port),
      },
      cwd: process.cwd(),
    },
  })
  const tokenPath = (id: string) => `/v1/stores/${storeId}/customers/${id}/tokens`
  await waitUntilReady(child, async () => void (await fetch(url + tokenPath('1'))))
  return {
    url,
    pid: child.pid,
    tokenOf: async (id) => ((await (await fetch(url + tokenPath(id))).json()) as { token: string }).token,
    stop: () => child.stop(),
  }
}

async function copyCustomers(system: System): Promise<void> {
  await onServer(system.databaseUrlOf('floor'), (client) =>
    client.query(`
      create table if not exists customer (id bigserial, store_id bigint, steam_id bigint unique, name text, metadata jsonb default '{}',
        version bigint default 1, created_at timestamptz default now(), updated_at timestamptz, primary key (store_id, id))`),
  )
  await onServer(system.address.adminUrl, async (client) => {
    await client.query(`
      insert into floor.customer (id, store_id, steam_id, name) select id, store_id, steam_id, name from customers.customer
      where not exists (select from floor.customer)`)
    await client.query('vacuum analyze floor.customer')
  })
}

async function fillCoupons(databaseUrl: string, coupons: readonly Record<string, unknown>[]): Promise<void> {
  const columns = Object.entries(coupons[0] ?? {}).map(([name, value]) => `"${name}" ${columnType(name, value)}`)
  await onServer(databaseUrl, async (client) => {
    await client.query('drop table if exists coupon')
    await client.query(`create table coupon (${columns.join(', ')}, primary key (store_id, id))`)
    await client.query('insert into coupon select * from jsonb_populate_recordset(null::coupon, $1)', [
      JSON.stringify(coupons),
    ])
  })
}

function columnType(name: string, value: unknown): string {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'integer'
  if (typeof value !== 'string') return 'jsonb'
  if (name === 'id' || name === 'store_id') return 'bigint'
  return /^\d{4}-\d{2}-\d{2}T/.test(value) ? 'timestamptz' : 'text'
}

export interface Floor {
  url: string
  pid: number
  tokenOf(customerId: string): Promise<string>
  stop(): Promise<unknown>
}

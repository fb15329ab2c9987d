import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createClient } from '@redis/client'
import pg from 'pg'

/**
 * The minimal server for the measured requests: bare `node:http` and prepared statements in one process, without
 * validation, logs, metrics, limits or scopes. The cost of the product is reported as a multiple of it.
 */
const { DATABASE_URL, REDIS_URL, TOKEN_KEY = '', PORT } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const redis = createClient({ url: REDIS_URL ?? '' })
await redis.connect()

const statements = {
  customer: { name: 'customer', text: 'select * from customer where store_id = $1 and id = $2' },
  insert: { name: 'insert', text: 'insert into customer (store_id, steam_id, name) values ($1, $2, $3) returning *' },
  coupons: { name: 'coupons', text: 'select * from coupon where store_id = $1 order by id desc limit 100' },
}

createServer(async (request, response) => {
  const [, , , storeId = '', kind, id, tail] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  const body = await resultOf(request, { storeId, kind, id, tail }).catch((error: unknown) => ({
    error: String(error),
  }))
  const text = JSON.stringify(body)
  response.writeHead('error' in body ? 500 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}).listen(Number(PORT), '127.0.0.1')

async function resultOf(request: IncomingMessage, { storeId, kind, id = '', tail }: Target): Promise<object> {
  if (kind === 'who') return (await rows(statements.customer, await claimsOf(request)))[0] ?? {}
  if (kind === 'customers' && tail === 'tokens') {
    await rows(statements.customer, [storeId, id])
    return { token: sign([storeId, id]) }
  }
  if (kind === 'coupons') return rows(statements.coupons, [storeId])
  if (request.method === 'POST') {
    const { steam_id, name } = JSON.parse(await textOf(request))
    return (await rows(statements.insert, [storeId, steam_id, name]))[0] ?? {}
  }
  return (await rows(statements.customer, [storeId, id]))[0] ?? {}
}

async function rows(statement: { name: string; text: string }, values: unknown[]): Promise<object[]> {
  return (await pool.query({ ...statement, values })).rows
}

async function claimsOf(request: IncomingMessage): Promise<string[]> {
  const [claims = '', mac = ''] = (request.headers.authorization ?? '').split(' ').at(-1)?.split('.') ?? []
  const expected = Buffer.from(macOf(claims), 'base64url')
  const given = Buffer.from(mac, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('bad token')
  const [storeId = '', customerId = ''] = claims.split(':')
  await redis.get(`epoch:${storeId}:${customerId}`)
  return [storeId, customerId]
}

function sign(parts: readonly string[]): string {
  const claims = parts.join(':')
  return `${claims}.${macOf(claims)}`
}

function macOf(claims: string): string {
  return createHmac('sha256', TOKEN_KEY).update(claims).digest('base64url')
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

interface Target {
  storeId: string
  kind: string | undefined
  id: string | undefined
  tail: string | undefined
}

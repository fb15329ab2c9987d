import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type RedisClientType } from '@redis/client'
import { onServer } from '@storekeep/common/testing/database'

/** Records the secrets of a run in a file, because several test processes add to it. */
export function createSecretsRecord(file: string): SecretsRecord {
  return {
    add: (kind, secret) => appendFileSync(file, `${kind} ${secret}\n`, { mode: 0o600 }),
    all: () => {
      if (!existsSync(file)) return []
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      return [...new Set(lines)].map((line) => {
        const [kind = '', secret = ''] = line.split(' ')
        return { kind, secret }
      })
    },
  }
}

/** Adds the tokens and API keys in a response, at any depth. */
export function recordIssued(record: SecretsRecord, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (['token', 'customer_token', 'secret'].includes(name) && typeof value === 'string') record.add(name, value)
    else if (name !== 'metadata') recordIssued(record, value)
  }
}

/** Reads every place where a secret could leak. */
export async function readTraces(places: TracePlaces): Promise<Trace[]> {
  return [...readLogs(places.logDirectory), ...(await readDatabase(places.adminUrl)), ...(await readRedis(places))]
}

/** Finds which secrets occur in which places. Reports only their kind, so that the report itself leaks nothing. */
export function findLeaks(secrets: readonly Secret[], traces: readonly Trace[]): string[] {
  const leaks = new Set<string>()
  for (const { place, text } of traces) {
    for (const { kind, secret } of secrets) {
      const at = text.indexOf(secret)
      if (at < 0) continue
      const before = text.slice(Math.max(0, text.lastIndexOf('\n', at) + 1, at - 160), at)
      leaks.add(`${kind} in ${place}, after: ${before}`)
    }
  }
  return [...leaks]
}

function readLogs(directory: string): Trace[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ place: `log ${name}`, text: readFileSync(join(directory, name), 'utf8') }))
}

/** Every column of every table as text, including binary columns. */
function readDatabase(adminUrl: string): Promise<Trace[]> {
  return onServer(adminUrl, async (client) => {
    const { rows: columns } = await client.query<{ schema: string; table: string; column: string; type: string }>(`
      select c.table_schema as schema, c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`)
    const traces: Trace[] = []
    for (const { schema, table, column, type } of columns) {
      const name = client.escapeIdentifier(column)
      const text = type === 'bytea' ? `encode(${name}, 'escape')` : `${name}::text`
      const from = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`
      const { rows } = await client.query<{ text: string | null }>(
        `select string_agg(${text}, E'\\n') as text from ${from}`,
      )
      if (rows[0]?.text) traces.push({ place: `database ${schema}.${table}.${column}`, text: rows[0].text })
    }
    return traces
  })
}

async function readRedis({ redisUrl, redisKeyPrefix }: TracePlaces): Promise<Trace[]> {
  const redis = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
  redis.on('error', () => undefined)
  await redis.connect()
  try {
    const lines: string[] = []
    for await (const keys of redis.scanIterator({ MATCH: `${redisKeyPrefix}*`, COUNT: 1000 })) {
      for (const key of keys) lines.push(`${key} ${await readRedisValue(redis, key)}`)
    }
    return [{ place: 'Redis', text: lines.join('\n') }]
  } finally {
    await redis.close()
  }
}

async function readRedisValue(redis: RedisReader, key: string): Promise<string> {
  const type = await redis.type(key)
  if (type === 'string') return (await redis.get(key)) ?? ''
  if (type === 'hash') return JSON.stringify(await redis.hGetAll(key))
  if (type === 'set') return (await redis.sMembers(key)).join(' ')
  if (type === 'zset') return (await redis.zRange(key, 0, -1)).join(' ')
  if (type === 'list') return (await redis.lRange(key, 0, -1)).join(' ')
  return ''
}

type RedisReader = Pick<RedisClientType, 'type' | 'get' | 'hGetAll' | 'sMembers' | 'zRange' | 'lRange'>

export interface Secret {
  /** Kind for the report, such as "token". */
  kind: string
  secret: string
}

export interface SecretsRecord {
  add(kind: string, secret: string): void
  all(): Secret[]
}

export interface Trace {
  place: string
  text: string
}

export interface TracePlaces {
  logDirectory: string
  adminUrl: string
  redisUrl: string
  redisKeyPrefix: string
}

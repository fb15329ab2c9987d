import { faultOf, operator, withKey } from '@storekeep/common/testing'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { decodeApiKey } from '../src/api-keys/domain/api-key-codec.ts'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()

/** Every value of every table, bytes in hex. */
async function dumpDatabase(): Promise<string> {
  const tables = await stores.database.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = current_schema()`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => stores.database.query(sql`select t::text as row from ${raw(`"${name}"`)} t`)),
  )
  return JSON.stringify(rows)
}

describe('the secret of an API key', () => {
  it('appears only in the response that creates it: not in tables, events, logs or metrics', async () => {
    const { id: storeId } = await createTestStore(stores)
    const options = withKey(operator())
    const { key, apiKey } = await stores.client.createApiKey({ storeId, name: 'canary' }, options)
    await stores.client.createApiKey({ storeId, name: 'canary' }, options)
    await faultOf(stores.client.createApiKey({ storeId, name: 'other' }, options))
    await stores.client.verifyApiKey({ key }, operator())
    await faultOf(stores.client.verifyApiKey({ key: `${key}x` }, operator()))
    await faultOf(stores.client.createStore({ slug: key, name: key, currency: key }, operator()))
    await stores.client.revokeApiKey({ apiKeyId: apiKey?.id ?? '' }, operator())

    const metrics = await fetch(`http://127.0.0.1:${stores.running.metricsPort}/metrics`)
    const places = {
      database: await dumpDatabase(),
      log: stores.logLines.join(''),
      metrics: await metrics.text(),
      lists: JSON.stringify((await stores.client.listApiKeys({ storeId }, operator())).apiKeys, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    }
    expect(places.database).toContain('canary')
    expect(places.database, 'the events are not in the dump').toContain(Buffer.from('canary').toString('hex'))
    const secret = decodeApiKey(key)?.secret ?? Buffer.alloc(0)
    const spellings = [
      key,
      key.slice(6, -6),
      secret.toString('hex'),
      secret.toString('base64url'),
      secret.toString('base64'),
    ]
    // Event bodies are covered by the outbox table, as protobuf in hex.
    spellings.push(Buffer.from(key).toString('hex'))
    for (const [place, text] of Object.entries(places)) {
      for (const spelling of spellings) expect(text.includes(spelling), `${place} holds the secret`).toBe(false)
    }
  })
})

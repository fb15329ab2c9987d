import { randomBytes, randomUUID } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecretBox } from '../src/crypto/index.ts'
import { errors } from '../src/errors/index.ts'
import { isUniqueViolation, type Transaction } from '../src/postgres/index.ts'
import { findStoredResponse, sweepIdempotencyRecords, type WriteOptions, write } from '../src/write/index.ts'
import { retryUnavailable } from '../testing/retry-unavailable.ts'
import { onServer } from '../testing/test-database.ts'
import { cutThing, putThing, type ThingFields, ThingSchema } from './fixtures/thing-proto.ts'
import { createTestDatabase, type TestDatabase } from './harness.ts'

describe.each(['with statements', 'that only inserts rows'])('a mutating RPC %s', (kind) => {
  let test: TestDatabase
  const secrets = createSecretBox(randomBytes(32).toString('base64url'))

  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  interface Use {
    key?: string
    store?: string
    scope?: string
    name?: string
    method?: typeof putThing
    effect?: (tx: Transaction) => Promise<Record<string, unknown>>
    options?: WriteOptions
  }

  /** Runs the RPC and returns the serialized response, as the caller sees it. */
  async function put(use: Use): Promise<Buffer> {
    const { key, store = '1', scope = 'POST /things', name = 'a', method = putThing, options } = use
    const call = { method, storeId: store, idempotency: key === undefined ? undefined : { key, scope } }
    const request = create(ThingSchema, { name } as Record<string, unknown>)
    const effect = use.effect ?? ((tx: Transaction) => insertThing(tx, `${name} ${randomUUID()}`))
    const response = await write({ database: test.database, secrets }, call, request, effect, options)
    return Buffer.from(toBinary(ThingSchema, response))
  }

  async function insertThing(tx: Transaction, name: string): Promise<Record<string, unknown>> {
    if (kind === 'that only inserts rows') {
      tx.insert('thing', { name })
      return { name }
    }
    const [row] = await tx.query<ThingFields>(sql`insert into thing (name) values (${name}) returning id, name`)
    return { ...row }
  }

  async function count(like: string): Promise<number> {
    const rows = await test.database.query(sql`select from thing where name like ${`${like} %`}`)
    return rows.length
  }

  it('runs each time without a key', async () => {
    await put({ name: 'keyless' })
    await put({ name: 'keyless' })
    expect(await count('keyless')).toBe(2)
  })

  it('returns the same bytes for a repeated call, without a second effect', async () => {
    const use = { key: randomUUID(), name: 'repeated' }
    const first = await put(use)
    expect([await put(use), await put(use), await count('repeated')]).toEqual([first, first, 1])
  })

  it('has its effect once for 32 concurrent calls with one key', async () => {
    const use = { key: randomUUID(), name: 'together' }
    const calls = Array.from({ length: 32 }, () => retryUnavailable(() => put(use)))
    const outcomes = await Promise.allSettled(calls)
    const first = await put(use)
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toEqual(first)
      else expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }
    expect(await count('together')).toBe(1)
  })

  it('returns the stored response even if a repeated effect would fail', async () => {
    const use = { key: randomUUID(), name: 'unique' }
    const effect = (tx: Transaction) => insertThing(tx, 'unique again')
    const first = await put({ ...use, effect })
    expect(await put({ ...use, effect })).toEqual(first)
    expect(await put({ ...use, effect: () => Promise.reject(errors.notFound('thing')) })).toEqual(first)
    await expect(put({ ...use, name: 'other', effect })).rejects.toMatchObject({ code: 'idempotency-mismatch' })
    await expect(put({ ...use, key: randomUUID(), effect })).rejects.toSatisfy(isUniqueViolation)
  })

  it('fails immediately while a call in progress has claimed the same key', async () => {
    const key = randomUUID()
    await test.database.transaction(async (tx) => {
      await tx.query(sql`select claimed from claim_idempotency_key('1 POST /things', ${key})`)
      await expect(put({ key, name: 'busy' })).rejects.toMatchObject({ code: 'conflict' })
      tx.enqueueBeforeCommit(sql`
        insert into idempotency_record (scope, key, request_hash, response, encrypted, expires_at)
        values ('1 POST /things', ${key}, '', '', false, now() + interval '24 hours')
        on conflict (scope, key) do update set expires_at = excluded.expires_at`)
    })
    await expect(put({ key, name: 'busy' })).rejects.toMatchObject({ code: 'idempotency-mismatch' })
    expect(await count('busy')).toBe(0)
  })

  it('rejects a key that was used with another request or method', async () => {
    const key = randomUUID()
    await put({ key, name: 'mine' })
    await expect(put({ key, name: 'other' })).rejects.toMatchObject({ code: 'idempotency-mismatch' })
    await expect(put({ key, name: 'mine', method: cutThing })).rejects.toMatchObject({ code: 'idempotency-mismatch' })
  })

  it('treats the same key of another store or path as a different key', async () => {
    const use = { key: randomUUID(), name: 'scoped' }
    await put(use)
    await put({ ...use, store: '2' })
    await put({ ...use, scope: 'POST /things/7' })
    expect(await count('scoped')).toBe(3)
  })

  it('stores nothing for a failed call, so that a retry can succeed', async () => {
    const use = { key: randomUUID(), name: 'rejected' }
    const fail = async (tx: Transaction) => {
      await insertThing(tx, `rejected ${randomUUID()}`)
      throw errors.notFound('thing')
    }
    await expect(put({ ...use, effect: fail })).rejects.toMatchObject({ code: 'not-found' })
    expect(await count('rejected')).toBe(0)
    await put(use)
    expect(await count('rejected')).toBe(1)
  })

  it('leaves neither effect nor response when the connection breaks between them', async () => {
    const use = { key: randomUUID(), name: 'cut' }
    const cut = async (tx: Transaction) => {
      const thing = await insertThing(tx, `cut ${randomUUID()}`)
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await onServer(test.adminUrl, (client) => client.query('select pg_terminate_backend($1)', [row?.pid]))
      return thing
    }
    await expect(put({ ...use, effect: cut })).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await count('cut')).toBe(0)
    const first = await put(use)
    expect([await put(use), await count('cut')]).toEqual([first, 1])
  })

  it('stores a response with a secret encrypted, and returns the same secret again', async () => {
    const secret = `secret-${randomUUID()}`
    const use = {
      key: randomUUID(),
      effect: async () => ({ id: secret }),
      options: { secret: true },
    }
    const first = await put(use)
    expect(first.toString()).toContain(secret)
    expect(await put({ ...use, effect: async () => ({ id: 'another' }) })).toEqual(first)
    const rows = await test.database.query<{ response: Buffer }>(
      sql`select response from idempotency_record where key = ${use.key}`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.response.toString('latin1')).not.toContain(secret)
  })

  it('does not return a response older than 24 hours, deleted or not', async () => {
    const use = { key: randomUUID(), name: 'old' }
    const kept = sql`select from idempotency_record where key = ${use.key} and expires_at > now()`
    const [lifetime] = await put(use).then(() =>
      test.database.query(sql`
        select extract(epoch from expires_at - now()) between 86390 and 86400 as fits
          from idempotency_record where key = ${use.key}`),
    )
    expect(lifetime).toEqual({ fits: true })
    const age = sql`update idempotency_record set expires_at = now() - interval '1 second' where key = ${use.key}`
    await test.database.query(age)
    await put(use)
    expect([await count('old'), (await test.database.query(kept)).length]).toEqual([2, 1])
    await test.database.query(age)
    expect(await sweepIdempotencyRecords(test.database)).toBe(1)
    expect(await sweepIdempotencyRecords(test.database)).toBe(0)
  })

  describe('the stored response', () => {
    async function findStored({ key, store = '1', scope = 'POST /things', name = 'a', method = putThing }: Use) {
      const call = { method, storeId: store, idempotency: key === undefined ? undefined : { key, scope } }
      const request = create(ThingSchema, { name } as Record<string, unknown>)
      const response = await findStoredResponse({ database: test.database, secrets }, call, request)
      return response && Buffer.from(toBinary(ThingSchema, response))
    }

    it('exists after the first call, for the same store and path only', async () => {
      const use = { key: randomUUID(), name: 'looked for' }
      expect(await findStored(use)).toBeUndefined()
      const first = await put(use)
      expect(await findStored(use)).toEqual(first)
      expect(await findStored({ ...use, store: '2' })).toBeUndefined()
      expect(await findStored({ ...use, scope: 'POST /things/7' })).toBeUndefined()
      expect(await findStored({ name: 'looked for' })).toBeUndefined()
    })

    it('is decrypted if it contains a secret', async () => {
      const use = { key: randomUUID(), effect: async () => ({ id: 'secret' }), options: { secret: true } }
      expect(await findStored({ key: use.key })).toBeUndefined()
      expect(await put(use)).toEqual(await findStored(use))
    })

    it('is not returned for another request, or after it has expired', async () => {
      const use = { key: randomUUID(), name: 'mine' }
      await put(use)
      await expect(findStored({ ...use, name: 'other' })).rejects.toMatchObject({ code: 'idempotency-mismatch' })
      await test.database.query(
        sql`update idempotency_record set expires_at = now() - interval '1 second' where key = ${use.key}`,
      )
      expect(await findStored(use)).toBeUndefined()
    })

    it('is looked up without waiting for a call in progress with the same key', async () => {
      const use = { key: randomUUID(), name: 'under way' }
      const seen = await put({
        ...use,
        effect: async (tx) => {
          expect(await findStored(use)).toBeUndefined()
          return insertThing(tx, `under way ${randomUUID()}`)
        },
      })
      expect(await findStored(use)).toEqual(seen)
    })
  })
})

import { randomUUID } from 'node:crypto'
import { toBinary } from '@bufbuild/protobuf'
import { planPage } from '@storekeep/common/page'
import { randomId } from '@storekeep/common/testing'
import { type Customer, CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { documentWrite } from '../src/documents/db/document-repository.ts'
import { typeKey } from '../src/documents/domain/document-index.ts'
import { readQuery } from '../src/documents/domain/search-query.ts'
import { documentOf, previousDocumentOf } from '../src/documents/mappers.ts'
import { findPreviousDocuments } from '../src/documents/previous/find-previous-documents.ts'
import { lockGenerations } from '../src/rebuilds/db/generation-repository.ts'
import { leaseRunning } from '../src/rebuilds/db/rebuild-repository.ts'
import { recordTypeOf, recordTypes } from '../src/record-types/index.ts'
import { idsOf, inStore, live, settled, until, useSearch } from './harness.ts'
import { own, publishNew } from './records.ts'

const search = useSearch(async (env) => ({ ...env, INDEX_HANDOVER_MS: '3600000' }))
const storeId = randomId()
let previous: string

beforeAll(async () => {
  await live(search)
  // No further index can be built.
  search.owners.isUnavailable = true
  previous = await createPreviousGeneration()
})

/** Replaces the live index with one as the previous release builds it. */
async function createPreviousGeneration(): Promise<string> {
  return await search.database.transaction(async (tx) => {
    await lockGenerations(tx)
    await tx.query(sql`update generation set state = 'replaced' where state = 'live'`)
    const [row] = await tx.query<{ id: string }>(sql`
      insert into generation (index_version, state) values (3, 'live') returning id`)
    if (!row) throw new Error('The insert returned no row.')
    const types = recordTypes.map(({ type }) => type)
    await tx.query(sql`
      insert into generation_part (generation, aggregate)
      select ${row.id}::bigint, type from unnest(${types}::text[]) type`)
    const table = `document_${row.id}`
    await tx.query(
      raw(`create table ${table} (
        store_id bigint not null, id bigint not null, type text not null, version bigint not null,
        deleted boolean not null, record bytea not null, words text not null, keys bigint[] not null,
        primary key (store_id, id)
      )`),
    )
    await tx.query(raw(`create index ${table}_keys on ${table} using gin (keys)`))
    for (const event of ['insert', 'update']) {
      const tables = event === 'insert' ? 'new table as new_rows' : 'old table as old_rows new table as new_rows'
      const counter = event === 'insert' ? 'count_inserted_documents' : 'count_updated_documents'
      await tx.query(
        raw(`create trigger count_${event} after ${event} on ${table} referencing ${tables}
          for each statement execute function ${counter}(${row.id})`),
      )
    }
    return row.id
  })
}

/** Writes the record as the previous release does. */
async function writeAsPreviousRelease(
  generation: string,
  customer: Customer,
  { withIdentifiers = true }: { withIdentifiers?: boolean } = {},
): Promise<void> {
  const type = recordTypeOf('customer')
  const { id, version } = customer
  const record = { id, storeId, version: version.toString(), record: toBinary(CustomerSchema, customer) }
  const document = previousDocumentOf(documentOf(type, record), type)
  const keys = withIdentifiers ? document.keys : [typeKey(storeId, 'customer')]
  await search.database.query(documentWrite(generation, [{ ...document, keys }]))
}

const find = async (query: string) => idsOf(await search.client.search({ query }, inStore(storeId)))

const findAsPreviousRelease = async (query: string) => {
  const scope = { generation: previous, storeId, type: undefined }
  const read = readQuery(storeId, query, {})
  const { rows, exact } = await findPreviousDocuments(search.database, scope, read, planPage())
  return [...(exact ? [exact] : []), ...rows].map(({ id }) => id)
}

const newest = async () => {
  const [row] = await search.database.query<{ id: string; isReady: boolean }>(sql`
    select id, ready_at is not null as "isReady" from generation where state = 'running'`)
  return row
}

it('after an upgrade, the index of the previous release is searched and kept until pods of that release have ended', async () => {
  const robin = own(search.owners, 'customer', storeId, { name: 'Robin', steamId: '76561197960265729' })
  await writeAsPreviousRelease(previous, robin)
  for (const query of ['robin', 'obi', 'rboin', 'r', robin.id, '76561197960265729']) {
    expect(await find(query), query).toEqual([robin.id])
  }

  const running = await until(newest)
  const marian = await publishNew(search, 'customer', storeId, { name: 'Marian' })
  await settled(search)
  expect(await find('maria')).toEqual([marian.id])
  // A pod of the previous release applies an event to both indexes.
  const tuck = own(search.owners, 'customer', storeId, { name: 'Tuck', steamId: '76561197960265730' })
  for (const generation of [previous, running.id]) await writeAsPreviousRelease(generation, tuck)

  search.owners.isUnavailable = false
  await until(async () => ((await newest())?.isReady ? true : undefined))
  expect(await live(search)).toBe(previous)
  await search.database.query(sql`delete from ${raw(`document_${previous}`)} where id = ${robin.id}`)
  expect(await find('robin')).toEqual([robin.id])
  for (const query of ['tuc', 'tukc', 'uck', '76561197960265730']) expect(await find(query), query).toEqual([tuck.id])
  const john = await publishNew(search, 'customer', storeId, { name: 'John' })
  await settled(search)
  for (const query of ['john', 'ohn', 'jonh', john.id]) {
    expect([await find(query), await findAsPreviousRelease(query)], query).toEqual([[john.id], [john.id]])
  }

  // Its pods must not continue the build, even if no pod of this release renews the lease for a while.
  const leasedByPreviousRelease = await search.database.transaction(async (tx) => {
    await tx.query(sql`
      update generation set leased_until = leased_until - interval '20 seconds' where id = ${running.id}`)
    return await tx.query(sql`
      update generation set leased_by = gen_random_uuid(), leased_until = now() + interval '15 seconds'
      where state = 'running' and (leased_until is null or leased_until < now()) returning id`)
  })
  expect(leasedByPreviousRelease).toEqual([])

  // Its documents lack the keys of identifiers.
  const bob = own(search.owners, 'customer', storeId, { name: 'Bob 2001:db8::7' })
  await writeAsPreviousRelease(running.id, bob, { withIdentifiers: false })
  expect(await find('2001:db8:0:0:0:0:0:7')).toEqual([])
  await search.database.query(sql`update generation set ready_at = now() - interval '1 day' where id = ${running.id}`)
  await until(async () => ((await live(search)) === running.id ? true : undefined))
  expect(await find('john')).toEqual([john.id])
  expect(await find('2001:db8:0:0:0:0:0:7')).toEqual([bob.id])
})

it('a build of the previous release is not continued, and does not prevent others once its pods have ended', async () => {
  const built = await live(search)
  const [build] = await search.database.query<{ id: string }>(sql`
    insert into generation (index_version, state, leased_by, leased_until)
    values (3, 'running', gen_random_uuid(), now() + interval '9 minutes') returning id`)
  expect(await leaseRunning(search.database, randomUUID())).toBeUndefined()
  await search.database.query(sql`update generation set leased_until = null where id = ${build?.id}`)
  const ended = await until(async () => {
    const [row] = await search.database.query<{ state: string }>(sql`
      select state from generation where id = ${build?.id} and state <> 'running'`)
    return row?.state
  })
  expect(ended).toBe('replaced')
  expect(await live(search)).toBe(built)
})

import { operator, randomId, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentTable } from '../src/db/document-table.ts'
import { live, settled, until, useSearch } from './harness.ts'
import { index, own, retell, tellNew } from './records.ts'

const search = useSearch(async (env) => ({ ...env, INDEX_CHECK_INTERVAL_MS: '1000' }))
let generation: string
beforeAll(async () => {
  generation = await live(search)
})

const verify = async () => {
  const { checked, drifted } = await search.client.verifyRecords(
    { aggregate: 'customer' },
    operator({ deadlineMs: 30_000 }),
  )
  return { checked: Number(checked), drifted: Number(drifted) }
}

describe('a comparison of index and owner', () => {
  it('finds no drift while changes are on their way', async () => {
    const storeId = randomId()
    await tellNew(search, 'customer', storeId, { name: 'Known' })
    await settled(search)
    const underWay = own(search.owners, 'customer', storeId, { name: 'Told in a moment' })
    const verdict = verify()
    await retell(search, 'customer', underWay)
    expect(await verdict).toMatchObject({ drifted: 0 })
    search.owners.remove('customer', underWay.id)
    await search.database.query(sql`delete from ${documentTable(generation)} where id = ${underWay.id}`)
  })

  it('finds documents that are missing, superfluous or old, once they stay so', async () => {
    const storeId = randomId()
    own(search.owners, 'customer', storeId, { name: 'Missing' })
    const stale = own(search.owners, 'customer', storeId, { name: 'Stale' })
    await index(search, generation, 'customer', stale)
    const { $typeName: _, ...fields } = stale
    search.owners.remove('customer', stale.id)
    own(search.owners, 'customer', storeId, { ...fields, version: 2n })
    const superfluous = own(search.owners, 'customer', storeId, { name: 'Gone' })
    await index(search, generation, 'customer', superfluous)
    search.owners.remove('customer', superfluous.id)
    expect((await verify()).drifted).toBe(3)
  }, 40_000)

  it('runs by itself from time to time, and tells by a metric what it found', async () => {
    await until(async () => {
      const text = await (await fetch(`http://127.0.0.1:${search.running.metricsPort}/metrics`)).text()
      return /search_index_drift_documents\{[^}]*type="customer"[^}]*\} 3/.test(text) || undefined
    }, 40_000)
  }, 60_000)

  it('knows only the kinds of record that are searched', async () => {
    const wrong = search.client.verifyRecords({ aggregate: 'portal_session' }, operator())
    expect(await violationsOf(wrong)).toEqual(['aggregate enum'])
  })
})

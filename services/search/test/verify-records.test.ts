import { createMetrics } from '@storekeep/common/telemetry'
import { operator, randomId, testIdentity, until, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOwners } from '../src/adapters/owners.ts'
import { documentTable } from '../src/documents/db/table-names.ts'
import { recordTypeOf } from '../src/documents/mappers/record-types/index.ts'
import { claimVerification } from '../src/rebuilds/db/verify-repository.ts'
import { verifyAll } from '../src/rebuilds/tasks/verify-index.ts'
import { live, settled, useSearch } from './harness.ts'
import { index, own, publishAgain, publishNew } from './records.ts'

const search = useSearch({ checkIntervalMs: 1000 })
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

describe('a verification of the index', () => {
  it('reports no drift while events are in transit', async () => {
    const storeId = randomId()
    await publishNew(search, 'customer', storeId, { name: 'Known' })
    await settled(search)
    const inTransit = own(search.owners, 'customer', storeId, { name: 'Published in a moment' })
    const verification = verify()
    await publishAgain(search, 'customer', inTransit)
    expect(await verification).toMatchObject({ drifted: 0 })
    search.owners.remove('customer', inTransit.id)
    await search.database.query(sql`delete from ${documentTable(generation)} where id = ${inTransit.id}`)
  })

  it('reports documents that persistently are missing, superfluous or outdated', async () => {
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
  })

  it('ends without a result when the process stops while a difference persists', async () => {
    const metrics = createMetrics({ service: 'test' })
    const owners = createOwners(search.config.owners, { metrics, identity: testIdentity('search') })
    // The index differs: see the test above. The first check comes before the comparison.
    let checks = 0
    const isCanceled = () => ++checks > 1
    const options = { isCanceled, patienceMs: Number.POSITIVE_INFINITY }
    const { database } = search
    await expect(verifyAll({ owners, database }, generation, recordTypeOf('customer'), options)).rejects.toThrow(
      'The verification was interrupted.',
    )
    owners.close()
  })

  it('runs periodically and exports its result as a metric', async () => {
    await until(async () => {
      const text = await (await fetch(`http://127.0.0.1:${search.running.metricsPort}/metrics`)).text()
      return /search_index_drift_documents\{[^}]*type="customer"[^}]*\} 3/.test(text) || undefined
    }, 120_000)
  })

  it('stays due until there is a live index', async () => {
    const claim = search.database.transaction(async (tx) => {
      await tx.query(sql`update generation set state = 'replaced' where state = 'live'`)
      await tx.query(sql`update next_check set due_at = now()`)
      expect(await claimVerification(tx, 1000)).toEqual({ isClaimed: false, results: [] })
      expect(await tx.query(sql`select due_at <= now() as "isDue" from next_check`)).toEqual([{ isDue: true }])
      throw new Error('rolled back')
    })
    await expect(claim).rejects.toThrow('rolled back')
  })

  it('rejects an unknown record type', async () => {
    const wrong = search.client.verifyRecords({ aggregate: 'portal_session' }, operator())
    expect(await violationsOf(wrong)).toEqual(['aggregate enum'])
  })
})

import type { RunningService } from '@storekeep/common/service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout as service } from '../src/service.ts'
import { copySession, createTestSession, newBuyer, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const others: RunningService[] = []
beforeAll(async () => {
  const { config, clock, running } = checkouts
  while (others.length < 2) others.push(await service.start(config, { clock, log: running.log }))
})
afterAll(async () => {
  await Promise.all(others.map((one) => one.stop()))
})

describe('three replicas on one database', () => {
  it('expire each session once', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    // Several batches for each sweep.
    await copySession(checkouts.database, { id, storeId }, 600)
    checkouts.clock.advance(24 * 3_600_000)
    const open = () =>
      checkouts.database.query(sql`select 1 from checkout_session where store_id = ${storeId} and status = 'open'`)
    await expect.poll(open).toEqual([])
    const [published] = await checkouts.database.query(sql`
      select count(*)::int as events, count(distinct aggregate_id)::int as sessions from outbox
      where store_id = ${storeId} and verb = 'expired'`)
    expect(published).toEqual({ events: 601, sessions: 601 })
  })

  it('release each reservation once', async () => {
    const { coupons } = checkouts.others
    const { storeId } = newBuyer(checkouts).options
    // A release that takes more than five seconds would be repeated.
    checkouts.clock.freeze()
    const now = checkouts.clock.now()
    await checkouts.database.query(sql`
      insert into coupon_reservation (store_id, checkout_id, created_at, next_at)
      select ${storeId}, number, ${now}, ${now} from generate_series(1, 600) number`)
    const records = () => checkouts.database.query(sql`select 1 from coupon_reservation where store_id = ${storeId}`)
    await expect.poll(records).toEqual([])
    expect(new Set(coupons.releases).size).toBe(600)
    expect(coupons.releases).toHaveLength(600)
  })
})

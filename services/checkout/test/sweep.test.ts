import { eventsOf } from '@storekeep/common/testing'
import { CheckoutSessionStatus as Status } from '@storekeep/proto/checkout/v1/checkout_session'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { copySession, createTestSession, newBuyer, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()

async function statusOf(storeId: string, id: string) {
  const [row] = await checkouts.database.query<{ status: string }>(
    sql`select status from checkout_session where store_id = ${storeId} and id = ${id}`,
  )
  return row?.status
}

describe('the sweep', () => {
  it('expires each session once and no other', async () => {
    const buyer = newBuyer(checkouts)
    const over = await createTestSession(checkouts, buyer)
    // More than one batch of the sweep.
    await copySession(checkouts.database, over, 119)
    checkouts.clock.advance(12 * 3_600_000)
    const open = await createTestSession(checkouts, buyer)
    checkouts.clock.advance(12 * 3_600_000)
    await expect
      .poll(async () => {
        const rows = await checkouts.database.query(
          sql`select 1 from checkout_session where store_id = ${buyer.options.storeId} and status = 'expired'`,
        )
        return rows.length
      })
      .toBe(120)
    expect(await statusOf(open.storeId, open.id)).toBe('open')
    const batches = await checkouts.database.query<{ size: number }>(sql`
      select count(*)::int as size from checkout_session
      where store_id = ${buyer.options.storeId} and status = 'expired' group by xmin`)
    // Few at a time: one session can take half a MiB.
    expect(Math.max(...batches.map(({ size }) => size))).toBeLessThanOrEqual(10)
    const [created, expired, ...others] = await eventsOf(checkouts, over.id)
    expect(created).toMatchObject({ type: 'checkout_session.created', version: '1' })
    expect(expired).toMatchObject({
      type: 'checkout_session.expired',
      version: '2',
      message: { session: { ...over, status: Status.EXPIRED, version: 2n } },
    })
    expect(others).toEqual([])
  })

  it('skips a session that is being completed', async () => {
    const { id, storeId } = await createTestSession(checkouts)
    const later = await createTestSession(checkouts)
    await checkouts.database.transaction(async (tx) => {
      await tx.query(sql`select 1 from checkout_session where store_id = ${storeId} and id = ${id} for update`)
      checkouts.clock.advance(24 * 3_600_000)
      await expect.poll(() => statusOf(later.storeId, later.id)).toBe('expired')
      expect(await statusOf(storeId, id)).toBe('open')
    })
    await expect.poll(() => statusOf(storeId, id)).toBe('expired')
  })
})

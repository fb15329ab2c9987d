import { planPage } from '@storekeep/common/page'
import { plansOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { findEnabledBan } from '../src/db/ban-check-repository.ts'
import { listBanRows } from '../src/db/ban-list-repository.ts'
import type { BanIdentity } from '../src/domain/ban.ts'
import { useBans } from './harness.ts'

const bans = useBans()
const storeId = randomId()
const banCount = 20_000

beforeAll(async () => {
  const { database } = bans
  await database.query(sql`
    insert into ban (store_id, reason, folded_reason, created_by, created_at)
    select ${storeId}::bigint, n::text, n::text, 'internal', now() from generate_series(1, ${banCount}::int) n`)
  await database.query(sql`
    insert into ban_identity (store_id, ban_id, type, match_value, value, position)
    select store_id, id, 'xbox_xuid', reason, reason, 1 from ban`)
  await database.query(sql`analyze ban, ban_identity`)
})

const xuid = (n: number): BanIdentity => ({ type: 'xbox_xuid', value: `${n}`, matchValue: `${n}` })

describe('in a store with many bans', () => {
  it('CheckBan with 100 identities runs one statement without a sequential scan', async () => {
    const identities = Array.from({ length: 100 }, (_, n) => xuid(banCount - n))
    const plans = await plansOf(bans.database, (db) => findEnabledBan(db, storeId, identities, new Date()))
    expect(plans).toHaveLength(1)
    expect(plans[0]).toContain('ban_identity_pkey')
    expect(plans[0]).not.toContain('Seq Scan')
    expect(await findEnabledBan(bans.database, storeId, identities, new Date())).toBeDefined()
  })

  it.each([
    ['without a filter', undefined],
    ['by one identity', [xuid(7)]],
    ['by a type', 'xbox_xuid' as const],
  ])('ListBans %s runs without a sequential scan', async (_what, identity) => {
    const filter = { identity, reasonSubstring: undefined }
    const [plan] = await plansOf(bans.database, (db) => listBanRows(db, storeId, filter, planPage()))
    expect(plan).toMatch(/Index/)
    expect(plan).not.toContain('Seq Scan')
  })
})

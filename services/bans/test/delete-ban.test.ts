import { eventsOf, faultOf, randomId, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestBan, inStore, useBans } from './harness.ts'

const bans = useBans()

describe('DeleteBan', () => {
  it('deletes the ban and its identities', async () => {
    const options = inStore()
    const { id: banId, identities } = await createTestBan(bans, options)
    await bans.client.deleteBan({ banId }, options)
    expect(await faultOf(bans.client.getBan({ banId }, options))).toMatchObject({ code: 'not-found' })
    expect((await bans.client.checkBan({ identities }, options)).banId).toBeUndefined()
    expect(await bans.database.query(sql`select 1 from ban_identity where ban_id = ${banId}`)).toEqual([])
    expect(await faultOf(bans.client.deleteBan({ banId }, options))).toMatchObject({ code: 'not-found' })
  })

  it('publishes the last state with the next version and the actor', async () => {
    const options = inStore()
    const ban = await createTestBan(bans, options)
    await bans.client.deleteBan({ banId: ban.id }, options)
    expect(await eventsOf(bans, ban.id)).toMatchObject([
      { type: 'ban.created', version: '1' },
      { type: 'ban.deleted', version: '2', message: { ban: { ...ban, version: 2n }, deletedBy: options.actor } },
    ])
  })

  it('takes effect once for 8 concurrent calls', async () => {
    const options = inStore()
    const { id: banId } = await createTestBan(bans, options)
    const calls = Array.from({ length: 8 }, () => {
      const keyed = withKey(options)
      return retryUnavailable(() => bans.client.deleteBan({ banId }, keyed))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-found' })
    expect(await eventsOf(bans, banId)).toHaveLength(2)
  })

  it('returns not-found for a ban of another store and for an unknown id', async () => {
    const options = inStore()
    const { id: banId } = await createTestBan(bans, options)
    expect(await faultOf(bans.client.deleteBan({ banId }, inStore()))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(bans.client.deleteBan({ banId: randomId() }, options))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(bans.client.deleteBan({ banId: 'x' }, options))).toEqual(['ban_id format'])
    expect((await bans.client.getBan({ banId }, options)).ban?.id).toBe(banId)
  })
})

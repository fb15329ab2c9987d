import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestBan, inStore, useBans } from './harness.ts'

const bans = useBans()
const get = (banId: string, options = inStore()) => bans.client.getBan({ banId }, options)

describe('GetBan', () => {
  it('returns an expired ban as not enabled', async () => {
    const options = inStore()
    const expiresAt = timestampFromDate(new Date(bans.clock.now().getTime() + 60_000))
    const ban = await createTestBan(bans, options, { expiresAt })
    bans.clock.advance(60_001)
    expect((await get(ban.id, options)).ban).toEqual({ ...ban, enabled: false })
  })

  it('returns not-found for an unknown id', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a ban of another store', async () => {
    const { id } = await createTestBan(bans, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['ban_id format'])
  })
})

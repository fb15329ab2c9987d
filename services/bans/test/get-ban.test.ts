import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestBan, inStore, useBans } from './harness.ts'

const bans = useBans()
const get = (banId: string, options = inStore()) => bans.client.getBan({ banId }, options)

describe('GetBan', () => {
  it('answers an expired ban as one that is no longer enabled', async () => {
    const options = inStore()
    const expiresAt = timestampFromDate(new Date(bans.clock.now().getTime() + 60_000))
    const ban = await createTestBan(bans, options, { expiresAt })
    bans.clock.advance(60_001)
    expect((await get(ban.id, options)).ban).toEqual({ ...ban, enabled: false })
  })

  it('does not find an id that nobody has', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('does not find a ban of another store', async () => {
    const { id } = await createTestBan(bans, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['ban_id format'])
  })
})

import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, randomId, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import type { Ban } from '@storekeep/proto/bans/v1/ban'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { createTestBan, type Input, identity, inStore, newIdentity, useBans } from './harness.ts'

const bans = useBans()
const fromNow = (milliseconds: number) => timestampFromDate(new Date(bans.clock.now().getTime() + milliseconds))

async function update(options: ReturnType<typeof inStore>, banId: string, paths: string[], ban: Input = {}) {
  const response = await bans.client.updateBan({ banId, ban, updateMask: { paths } }, options)
  return response.ban as Ban
}

describe('UpdateBan', () => {
  it('changes only the fields in the mask and records the actor', async () => {
    const options = inStore()
    const before = await createTestBan(bans, options, { reason: 'Fraud', expiresAt: fromNow(60_000) })
    const support = { ...options, actor: { type: ActorType.API_KEY, id: '7' } }
    const after = await update(support, before.id, ['reason'], { reason: 'x', identities: [newIdentity()] })
    expect(after).toMatchObject({
      ...before,
      reason: 'x',
      updatedBy: support.actor,
      updatedAt: expect.anything(),
      version: 2n,
    })
    expect((await bans.client.getBan({ banId: before.id }, options)).ban).toEqual(after)
    const all = { reason: 'y', identities: [identity('EMAIL', 'a@b'), newIdentity()], expiresAt: fromNow(90_000) }
    expect(await update(options, before.id, ['reason', 'identities', 'expires_at'], all)).toMatchObject({
      ...all,
      version: 3n,
    })
  })

  it('clears masked fields that the request omits', async () => {
    const options = inStore()
    const before = await createTestBan(bans, options, { reason: 'Fraud', expiresAt: fromNow(60_000) })
    const after = await update(options, before.id, ['reason', 'expires_at'])
    expect(after).toMatchObject({ reason: '', enabled: true, identities: before.identities })
    expect(after.expiresAt).toBeUndefined()
  })

  it('accepts an expires_at in the past, which ends the ban', async () => {
    const options = inStore()
    const { id, identities } = await createTestBan(bans, options)
    expect(await update(options, id, ['expires_at'], { expiresAt: fromNow(-1) })).toMatchObject({ enabled: false })
    expect((await bans.client.checkBan({ identities }, options)).banId).toBeUndefined()
  })

  it('matches only the new identities', async () => {
    const options = inStore()
    const { id, identities: before } = await createTestBan(bans, options)
    const { identities: after } = await update(options, id, ['identities'], { identities: [newIdentity()] })
    expect((await bans.client.checkBan({ identities: before }, options)).banId).toBeUndefined()
    expect((await bans.client.checkBan({ identities: after }, options)).banId).toBe(id)
  })

  it.each<[string, string[], Input]>([
    ['an empty mask', [], { reason: 'x' }],
    ['unchanged values', ['reason', 'identities'], { reason: 'Fraud', identities: [identity('IP', '0::1')] }],
  ])('changes nothing for %s', async (_what, paths, change) => {
    const options = inStore()
    const before = await createTestBan(bans, options, { reason: 'Fraud', identities: [identity('IP', '::1')] })
    expect(await update(options, before.id, paths, change)).toEqual(before)
    expect((await eventsOf(bans, before.id)).map(({ type }) => type)).toEqual(['ban.created'])
  })

  it('reports every invalid field in the mask and ignores the others', async () => {
    const options = inStore()
    const { id } = await createTestBan(bans, options)
    const invalid: Input = { reason: 'x'.repeat(1001), identities: [identity('IP', 'x')] }
    expect(await violationsOf(update(options, id, ['identities'], invalid))).toEqual([
      'identities.0.ban_type_value format',
    ])
    expect(await violationsOf(update(options, id, ['identities', 'reason'], invalid))).toHaveLength(2)
    expect(await violationsOf(update(options, id, ['identities']))).toEqual(['identities length'])
    expect(await faultOf(update(options, id, ['store_id']))).toMatchObject({ code: 'bad-request' })
  })

  it('keeps both of two concurrent changes in 20 rounds and publishes the merged state', async () => {
    const options = inStore()
    const { id } = await createTestBan(bans, options)
    for (let round = 0; round < 20; round += 1) {
      const [reason, identities] = [`round ${round}`, [newIdentity()]]
      const [first, second] = [withKey(options), withKey(options)]
      await Promise.all([
        retryUnavailable(() => update(first, id, ['reason'], { reason })),
        retryUnavailable(() => update(second, id, ['identities'], { identities })),
      ])
      const { ban } = await bans.client.getBan({ banId: id }, options)
      expect(ban).toMatchObject({ reason, identities, version: BigInt(round * 2 + 3) })
      expect((await eventsOf(bans, id)).at(-1)?.message).toMatchObject({ ban: { reason, identities } })
    }
  })

  it('returns not-found for a ban of another store and for an unknown id', async () => {
    const { id } = await createTestBan(bans, inStore())
    expect(await faultOf(update(inStore(), id, ['reason'], { reason: 'x' }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(update(inStore(), randomId(), []))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(update(inStore(), 'x', []))).toEqual(['ban_id format'])
  })

  it('takes effect once per Idempotency-Key and publishes the whole ban', async () => {
    const options = inStore()
    const { id } = await createTestBan(bans, options)
    const repeated = withKey(options)
    const first = await update(repeated, id, ['reason'], { reason: 'Fraud' })
    await update(options, id, ['reason'], { reason: 'Spam' })
    expect(await update(repeated, id, ['reason'], { reason: 'Fraud' })).toEqual(first)
    const events = await eventsOf(bans, id)
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['ban.created', '1'],
      ['ban.updated', '2'],
      ['ban.updated', '3'],
    ])
    expect(events[1]?.message).toMatchObject({ ban: first })
  })
})

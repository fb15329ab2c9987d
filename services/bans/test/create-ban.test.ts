import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { isFlakeId } from '@storekeep/common/flake'
import { countEvents, eventsOf, faultOf, isPublished, violationsOf, withKey } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { createTestBan, type Input, identity, inStore, newIdentity, useBans } from './harness.ts'

const bans = useBans()
const inAnHour = () => timestampFromDate(new Date(bans.clock.now().getTime() + 3_600_000))

describe('CreateBan', () => {
  it('creates a ban with all fields, identities normalized', async () => {
    const options = inStore()
    const expiresAt = inAnHour()
    const ban = await createTestBan(bans, options, {
      reason: 'Fraud 🦊',
      identities: [
        identity('IP', '::FFFF:192.0.2.1'),
        identity('EMAIL', ' Bob@X.org'),
        identity('CUSTOMER_NAME', 'BOB'),
      ],
      expiresAt,
    })
    expect(ban).toMatchObject({
      storeId: options.storeId,
      reason: 'Fraud 🦊',
      identities: [identity('IP', '192.0.2.1'), identity('EMAIL', 'bob@x.org'), identity('CUSTOMER_NAME', 'BOB')],
      createdBy: { type: ActorType.API_KEY, id: options.actor?.id },
      expiresAt,
      enabled: true,
      version: 1n,
    })
    expect(isFlakeId(ban.id)).toBe(true)
    expect(ban.updatedBy ?? ban.updatedAt).toBeUndefined()
    const age = Date.now() - (ban.createdAt ? timestampDate(ban.createdAt).getTime() : 0)
    expect(Math.abs(age)).toBeLessThan(60_000)
    expect((await bans.client.getBan({ banId: ban.id }, options)).ban).toEqual(ban)
  })

  it('requires only an identity', async () => {
    const ban = await createTestBan(bans, inStore(), { identities: [newIdentity()] })
    expect(ban).toMatchObject({ reason: '', enabled: true })
    expect(ban.expiresAt).toBeUndefined()
  })

  it('preserves the order of 100 identities', async () => {
    const identities = Array.from({ length: 100 }, (_, n) => identity('XBOX_XUID', String(999 - n)))
    expect((await createTestBan(bans, inStore(), { identities })).identities).toMatchObject(identities)
  })

  it('allows several bans with the same identity', async () => {
    const options = inStore()
    const same = { identities: [newIdentity()] }
    const [one, other] = [await createTestBan(bans, options, same), await createTestBan(bans, options, same)]
    expect(one.id).not.toBe(other.id)
  })

  it('reports every invalid field and creates nothing', async () => {
    const options = inStore()
    const invalid: Input = {
      reason: 'x'.repeat(1001),
      identities: [newIdentity(), identity('UNKNOWN', 'x'), identity('IP', '1.2.3.256'), identity('UNSPECIFIED', '')],
      expiresAt: timestampFromDate(bans.clock.now()),
    }
    expect(await violationsOf(bans.client.createBan({ ban: invalid }, options))).toEqual([
      'identities.1.ban_type enum',
      'identities.2.ban_type_value format',
      'identities.3.ban_type enum',
      'reason length',
      'expires_at min',
    ])
    expect(await violationsOf(bans.client.createBan({}, options))).toEqual(['identities length'])
    expect(await countEvents(bans, options.storeId)).toBe(0)
  })

  it('takes effect once per Idempotency-Key and rejects the key for another body', async () => {
    const options = withKey(inStore())
    const ban = { identities: [newIdentity()] }
    const first = await bans.client.createBan({ ban }, options)
    expect(await bans.client.createBan({ ban }, options)).toEqual(first)
    expect(await faultOf(bans.client.createBan({ ban: { ...ban, reason: 'x' } }, options))).toMatchObject({
      code: 'idempotency-mismatch',
    })
    expect(await countEvents(bans, options.storeId)).toBe(1)
  })

  it('publishes the whole ban', async () => {
    const options = inStore()
    const ban = await createTestBan(bans, options, { reason: 'Fraud' })
    expect(await eventsOf(bans, ban.id)).toMatchObject([
      { type: 'ban.created', version: '1', storeId: options.storeId, message: { ban } },
    ])
    await expect.poll(() => isPublished(bans, ban.id)).toBe(true)
  })
})

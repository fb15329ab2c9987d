import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestBan, identity, inStore, newIdentity, useBans } from './harness.ts'

const bans = useBans()

async function check(options: ReturnType<typeof inStore>, ...identities: ReturnType<typeof identity>[]) {
  return (await bans.client.checkBan({ identities }, options)).banId
}

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

describe('CheckBan', () => {
  it.each([
    ['a SteamID64', identity('STEAM', '76561197960265729'), identity('STEAM', '76561197960265729')],
    ['an IPv4-mapped IPv6 address', identity('IP', '192.0.2.1'), identity('IP', '::ffff:c000:201')],
    ['an IPv4 address banned in IPv4-mapped form', identity('IP', '::ffff:192.0.2.1'), identity('IP', '192.0.2.1')],
    ['an IPv6 address in long form', identity('IP', '2001:db8::1'), identity('IP', '2001:0DB8:0:0:0:0:0:1')],
    ['a customer', identity('CUSTOMER', '411486491630370816'), identity('CUSTOMER', '411486491630370816')],
    ['a name in another case', identity('CUSTOMER_NAME', 'ÄRGER'), identity('CUSTOMER_NAME', 'a\u0308rger')],
    ['an email address in another case', identity('EMAIL', 'Bob@X.org'), identity('EMAIL', ' bob@x.ORG ')],
    ['a UUID without dashes', identity('MINECRAFT_UUID', uuid), identity('MINECRAFT_UUID', uuid.replaceAll('-', ''))],
    [
      'an XUID with leading zeros',
      identity('XBOX_XUID', '2535428504324680'),
      identity('XBOX_XUID', '0002535428504324680'),
    ],
    ['an XUID banned with leading zeros', identity('XBOX_XUID', '007'), identity('XBOX_XUID', '7')],
    ['a disguised name', identity('CUSTOMER_NAME', 'Straße'), identity('CUSTOMER_NAME', 'ＳＴＲＡ\u200DẞＥ')],
    ['a disguised email address', identity('EMAIL', 'office@x.org'), identity('EMAIL', 'oﬃ\u00ADce@X.org')],
  ])('matches %s', async (_what, banned, asked) => {
    const options = inStore()
    const { id } = await createTestBan(bans, options, { identities: [newIdentity(), banned] })
    expect(await check(options, asked)).toBe(id)
    expect(await check(inStore(), asked)).toBeUndefined()
  })

  it('does not match an identity of another type with the same value', async () => {
    const options = inStore()
    await createTestBan(bans, options, { identities: [identity('XBOX_XUID', '76561197960265729')] })
    expect(await check(options, identity('STEAM', '76561197960265729'))).toBeUndefined()
  })

  it('returns the oldest matching ban, regardless of the order of the identities', async () => {
    const options = inStore()
    const [a, b] = [newIdentity(), newIdentity()]
    const first = await createTestBan(bans, options, { identities: [a] })
    const second = await createTestBan(bans, options, { identities: [b, a] })
    expect(await check(options, b, a)).toBe(first.id)
    expect(await check(options, b)).toBe(second.id)
  })

  it('ignores a ban from the moment it expires', async () => {
    const options = inStore()
    const one = newIdentity()
    const at = (milliseconds: number) => timestampFromDate(new Date(bans.clock.now().getTime() + milliseconds))
    const short = await createTestBan(bans, options, { identities: [one], expiresAt: at(60_000) })
    const long = await createTestBan(bans, options, { identities: [one], expiresAt: at(120_000) })
    expect(await check(options, one)).toBe(short.id)
    bans.clock.advance(60_001)
    expect(await check(options, one)).toBe(long.id)
    bans.clock.advance(60_000)
    expect(await check(options, one)).toBeUndefined()
  })

  it('matches one of 100 identities and nothing for an empty list', async () => {
    const options = inStore()
    const all = Array.from({ length: 100 }, newIdentity)
    const { id } = await createTestBan(bans, options, { identities: all.slice(99) })
    expect(await check(options, ...all)).toBe(id)
    expect(await check(options)).toBeUndefined()
  })

  it('rejects invalid identities and more than 100', async () => {
    expect(await violationsOf(check(inStore(), newIdentity(), identity('IP', 'x'), identity('UNKNOWN', 'x')))).toEqual([
      'identities.1.ban_type_value format',
      'identities.2.ban_type enum',
    ])
    expect(await violationsOf(check(inStore(), ...Array.from({ length: 101 }, newIdentity)))).toEqual([
      'identities length',
    ])
  })

  it('returns the stored response for a repeated Idempotency-Key and a fresh one without', async () => {
    const options = inStore()
    const one = newIdentity()
    const keyed = withKey(options)
    expect(await check(keyed, one)).toBeUndefined()
    const { id } = await createTestBan(bans, options, { identities: [one] })
    expect(await check(keyed, one)).toBeUndefined()
    expect(await check(options, one)).toBe(id)
    expect(await faultOf(check(keyed, one, newIdentity()))).toMatchObject({ code: 'idempotency-mismatch' })
  })
})

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { violationsOf } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import type { ListBansRequestSchema } from '@storekeep/proto/bans/v1/bans_service'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestBan, type Input, identity, inStore, useBans } from './harness.ts'

const bans = useBans()
const options = inStore()
const digits = '76561197960265740'
const otherDigits = '76561197960265741'
const inputs: Input[] = [
  { reason: 'Chargeback', identities: [identity('STEAM', digits)] },
  {
    reason: '100%_sure\\',
    identities: [identity('XBOX_XUID', digits), identity('STEAM', otherDigits), identity('EMAIL', 'bob@x.org')],
  },
  { reason: 'ÄRGER', identities: [identity('IP', '2001:db8::1'), identity('CUSTOMER_NAME', 'Bob@X.org')] },
  { reason: 'charged twice', identities: [identity('CUSTOMER', digits), identity('IP', '192.0.2.1')] },
]
let ids: string[]

beforeAll(async () => {
  ids = []
  for (const input of inputs) ids.push((await createTestBan(bans, options, input)).id)
  await createTestBan(bans, inStore(), inputs[0])
})

type Request = MessageInitShape<typeof ListBansRequestSchema>

/** Returns the indexes of the listed bans in `inputs`. */
async function list(request: Request): Promise<number[]> {
  const response = await bans.client.listBans(request, options)
  return response.bans.map(({ id }) => ids.indexOf(id))
}

describe('ListBans', () => {
  it('returns only the bans of the store, newest first, with their identities', async () => {
    expect(await list({})).toEqual([3, 2, 1, 0])
    const { bans: listed } = await bans.client.listBans({ page: { limit: 50, asc: true } }, options)
    expect(listed).toMatchObject(inputs)
    expect((await bans.client.listBans({}, inStore())).bans).toEqual([])
  })

  it('pages in both directions and reports neighboring pages', async () => {
    const page = async (request: Request['page']) => {
      const { bans: listed, page } = await bans.client.listBans({ page: request }, options)
      return [listed.map(({ id }) => ids.indexOf(id)), page?.hasPrevious, page?.hasNext]
    }
    expect(await page({ limit: 2 })).toEqual([[3, 2], false, true])
    expect(await page({ limit: 2, after: ids[2] })).toEqual([[1, 0], true, false])
    expect(await page({ limit: 1, before: ids[1] })).toEqual([[2], true, true])
    expect(await page({ limit: 2, asc: true, after: ids[0] })).toEqual([[1, 2], true, true])
    expect(await page({ limit: 9, after: ids[3], before: ids[0] })).toEqual([[2, 1], false, false])
  })

  it.each<[string, Request, number[]]>([
    ['a type', { banType: BanType.IP }, [3, 2]],
    ['a type that no ban has', { banType: BanType.UNKNOWN }, []],
    ['a type that no ban of the store has', { banType: BanType.MINECRAFT_UUID }, []],
    ['a value of any type', { banTypeValue: digits }, [3, 1, 0]],
    ['a value of a type', { banType: BanType.XBOX_XUID, banTypeValue: digits }, [1]],
    ['a value in another notation', { banTypeValue: '2001:0DB8:0::1' }, [2]],
    ['an IPv4-mapped IPv6 address', { banType: BanType.IP, banTypeValue: '::ffff:192.0.2.1' }, [3]],
    ['a value that is both a name and an email address', { banTypeValue: 'BOB@x.org' }, [2, 1]],
    ['a value that no ban has', { banType: BanType.EMAIL, banTypeValue: 'x@y' }, []],
    // Ban 1 has a SteamID64 and these digits, but as another identity.
    ['a type and value of one identity', { banType: BanType.STEAM, banTypeValue: digits }, [0]],
    ['a substring of the reason', { reason: 'CHARGE' }, [3, 0]],
    ['%', { reason: '%' }, [1]],
    ['_', { reason: '_' }, [1]],
    ['\\', { reason: '\\' }, [1]],
    ['a letter in another case and Unicode form', { reason: 'a\u0308rg' }, [2]],
    ['an empty substring', { reason: '' }, [3, 2, 1, 0]],
    ['all filters', { banType: BanType.CUSTOMER, banTypeValue: digits, reason: 'charge' }, [3]],
    ['a filter, paged', { reason: 'charge', page: { limit: 1, after: '9223372036854775807' } }, [3]],
  ])('filters by %s', async (_what, request, expected) => {
    expect(await list(request)).toEqual(expected)
  })

  it('includes expired bans as not enabled', async () => {
    const elsewhere = inStore()
    const expiresAt = timestampFromDate(new Date(bans.clock.now().getTime() + 60_000))
    await createTestBan(bans, elsewhere, { expiresAt })
    await createTestBan(bans, elsewhere)
    bans.clock.advance(60_001)
    const { bans: listed } = await bans.client.listBans({}, elsewhere)
    expect(listed.map(({ enabled }) => enabled)).toEqual([true, false])
  })

  it('rejects invalid pages and filters', async () => {
    const wrong = (request: Request) => violationsOf(list(request))
    expect(await wrong({ page: { limit: 0 } })).toEqual(['limit min'])
    expect(await wrong({ banType: BanType.IP, banTypeValue: 'Bob', reason: 'x'.repeat(1001) })).toEqual([
      'ban_type_value format',
      'reason length',
    ])
  })
})

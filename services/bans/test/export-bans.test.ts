import { createHash } from 'node:crypto'
import { fromBinary } from '@bufbuild/protobuf'
import { createClient, type Transport } from '@storekeep/common/grpc'
import {
  createTestTransport,
  exportAll,
  internal,
  retryUnavailable,
  violationsOf,
  withKey,
} from '@storekeep/common/testing'
import { BanSchema } from '@storekeep/proto/bans/v1/ban'
import { ExportService } from '@storekeep/proto/common/v1/export_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestBan, identity, inStore, useBans } from './harness.ts'

const bans = useBans()
let transport: Transport
beforeAll(() => {
  transport = createTestTransport('bans', bans.running.address)
})
afterAll(() => transport.close())
const exports = () => createClient(ExportService, transport)

describe('ExportRecords', () => {
  it('returns every ban of every store once, in its last published state, for any page size', async () => {
    const stores = [inStore(), inStore()]
    const created = await Promise.all(stores.flatMap((options) => [1, 2, 3].map(() => createTestBan(bans, options))))
    const [first, second] = created
    const [options = inStore()] = stores
    await bans.client.deleteBan({ banId: second?.id ?? '' }, options)
    const update = { banId: first?.id ?? '', ban: { reason: 'x' }, updateMask: { paths: ['reason'] } }
    const { ban: changed } = await bans.client.updateBan(update, options)

    const { records, pages } = await exportAll(bans.running, 'ban', 2)
    expect(pages).toBe(3)
    expect(records.map(({ id }) => id).sort()).toEqual(
      created.flatMap(({ id }) => (id === second?.id ? [] : [id])).sort(),
    )
    const positions = records.map(({ storeId, id }) => [BigInt(storeId), BigInt(id)] as const)
    expect(positions).toEqual([...positions].sort(([a, x], [b, y]) => Number(a - b) || Number(x - y)))
    const exported = records.find(({ id }) => id === first?.id)
    expect(exported).toMatchObject({ storeId: options.storeId, version: 2n })
    expect(fromBinary(BanSchema, exported?.record ?? new Uint8Array())).toEqual(changed)
  })

  it('ends a page before it exceeds the message size and continues after it', async () => {
    const before = (await exportAll(bans.running, 'ban')).records.length
    const identities = Array.from({ length: 100 }, (_, n) => identity('EMAIL', `${n}${'x'.repeat(240)}@y`))
    const options = inStore()
    for (let n = 0; n < 200; n += 20) {
      await Promise.all(
        Array.from({ length: 20 }, () => {
          const keyed = withKey(options)
          return retryUnavailable(() => createTestBan(bans, keyed, { identities }))
        }),
      )
    }
    const { records, pages } = await exportAll(bans.running, 'ban')
    expect(records.length).toBe(before + 200)
    expect(pages).toBe(3)
  })

  it('rejects other aggregates and invalid pages', async () => {
    const wrong = (request: object) =>
      violationsOf(exports().exportRecords({ aggregate: 'ban', ...request }, internal()))
    expect(await wrong({ aggregate: 'coupon', limit: 1 })).toEqual(['aggregate enum'])
    expect(await wrong({ limit: 0 })).toEqual(['limit min'])
    expect(await wrong({ limit: 1001 })).toEqual(['limit max'])
    expect(await wrong({ limit: 1, after: { storeId: 'x', id: '1' } })).toEqual(['after format'])
  })
})

describe('SumRecords', () => {
  it('returns the count of each store and the XOR of hashes of id and version, in mergeable parts', async () => {
    const options = inStore()
    for (let n = 0; n < 5; n += 1) await createTestBan(bans, options)
    const { records } = await exportAll(bans.running, 'ban')
    const sum = records.filter(({ storeId }) => storeId === options.storeId).reduce((all, one) => all ^ hashOf(one), 0n)

    const parts: { count: bigint; checksum: bigint }[] = []
    for (let after: { storeId: string; id: string } | undefined, rest = true; rest; ) {
      const response = await exports().sumRecords({ aggregate: 'ban', limit: 3, ...(after && { after }) }, internal())
      parts.push(...response.sums.filter(({ storeId }) => storeId === options.storeId))
      rest = response.last !== undefined
      after = response.last
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.reduce((all, { count }) => all + count, 0n)).toBe(5n)
    expect(parts.reduce((all, { checksum }) => all ^ checksum, 0n)).toBe(sum)
  })
})

function hashOf({ id, version }: { id: string; version: bigint }): bigint {
  return createHash('md5').update(`${id} ${version}`).digest().readBigInt64BE()
}

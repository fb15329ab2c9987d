import { until } from '@storekeep/common/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { countSources, countVariants, getCopy, useImages } from './harness.ts'
import { useImageServer } from './image-server.ts'
import { encoded } from './pictures.ts'
import { openShop } from './shop.ts'

const maxPerStore = 5
const images = useImages({ maxPerStore, prefetchMs: 50 })
const server = useImageServer()
let png: Buffer
beforeAll(async () => {
  png = await encoded('png')
})

describe('a store with too many images', () => {
  it('forgets the image of a shopper that was named longest ago', async () => {
    const shop = openShop(images)
    const avatar = (n: number) => server.url(`/avatar-${n}`)
    for (let n = 1; n <= maxPerStore; n += 1) {
      server.serve(`/avatar-${n}`, png)
      await shop.customer({ profile: { avatarUrl: avatar(n) } })
    }
    expect((await getCopy(images, shop.storeId, avatar(1))).image).toBeDefined()
    await shop.product(server.url('/product'))
    expect(await countSources(images, shop.storeId)).toBe(maxPerStore)
    await expect(getCopy(images, shop.storeId, avatar(1))).rejects.toMatchObject({ code: 'not-found' })
    expect((await getCopy(images, shop.storeId, avatar(2))).image).toBeDefined()
  })

  it('ignores further images of its catalog, and forgets none of them for a shopper', async () => {
    const shop = openShop(images)
    for (let n = 1; n <= maxPerStore; n += 1) {
      server.serve(`/catalog-${n}`, png)
      await shop.product(server.url(`/catalog-${n}`))
    }
    await shop.product(server.url('/one-more'))
    await shop.customer({ profile: { avatarUrl: server.url('/avatar-9') } })
    expect(await countSources(images, shop.storeId)).toBe(maxPerStore)
    for (let n = 1; n <= maxPerStore; n += 1) {
      expect((await getCopy(images, shop.storeId, server.url(`/catalog-${n}`))).image).toBeDefined()
    }
    // Another store has its own limit (negative control).
    const other = openShop(images)
    server.serve('/one-more', png)
    await other.product(server.url('/one-more'))
    expect((await getCopy(images, other.storeId, server.url('/one-more'))).image).toBeDefined()
  })
})

describe('before the first shopper', () => {
  it('the images of a catalog are fetched, and avatars are not', async () => {
    server.serve('/early', png)
    server.serve('/avatar-early', png)
    const shop = openShop(images)
    await shop.customer({ profile: { avatarUrl: server.url('/avatar-early') } })
    await shop.product(server.url('/early'))
    await until(async () => (await countVariants(images, shop.storeId)) === 1 || undefined)
    expect([server.requests('/early').length, server.requests('/avatar-early').length]).toEqual([1, 0])
  })
})

import { faultOf, until } from '@storekeep/common/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { countSources, countVariants, getCopy, newStore, useImages } from './harness.ts'
import { useImageServer } from './image-server.ts'
import { encoded, metadataOf } from './pictures.ts'
import { openShop } from './shop.ts'

const images = useImages()
const server = useImageServer()
let png: Buffer
let jpeg: Buffer
beforeAll(async () => {
  png = await encoded('png', 300, 300)
  jpeg = await encoded('jpeg', 200, 100)
})

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describe('the image of a product', () => {
  it('is fetched once and returned as WebP in each width, never enlarged', async () => {
    server.serve('/once', png)
    const shop = openShop(images)
    await shop.product(server.url('/once'))
    const copies = await Promise.all(
      [64, 128, 256, 512, 1024].map((width) => getCopy(images, shop.storeId, server.url('/once'), width)),
    )
    expect(copies.map(({ contentType }) => contentType)).toEqual(Array(5).fill('image/webp'))
    const shapes = await Promise.all(copies.map(({ image }) => metadataOf(image)))
    expect(shapes.map(({ format, width }) => [format, width])).toEqual(
      [64, 128, 256, 300, 300].map((width) => ['webp', width]),
    )
    expect(server.requests('/once')).toHaveLength(1)
    expect(await countVariants(images, shop.storeId)).toBe(4)
  })

  it('is not sent to a caller that has the copy', async () => {
    server.serve('/known', png)
    const shop = openShop(images)
    await shop.product(server.url('/known'))
    const { etag } = await getCopy(images, shop.storeId, server.url('/known'))
    expect(etag).toMatch(/^[\w-]{16}$/)
    const known = await getCopy(images, shop.storeId, server.url('/known'), 256, etag)
    expect([known.etag, known.image]).toEqual([etag, undefined])
    expect((await getCopy(images, shop.storeId, server.url('/known'), 256, 'other')).image).toBeDefined()
  })

  it('exists only in the store whose record names it: nothing else is ever requested', async () => {
    server.serve('/private', png)
    const shop = openShop(images)
    await shop.product(server.url('/private'))
    for (const [storeId, path] of [
      [newStore(), '/private'],
      [shop.storeId, '/other'],
    ] as const) {
      expect(await faultOf(getCopy(images, storeId, server.url(path)))).toMatchObject({ code: 'not-found' })
    }
    expect([server.requests('/private'), server.requests('/other')]).toEqual([[], []])
    // The owner gets it (negative control).
    expect((await getCopy(images, shop.storeId, server.url('/private'))).image).toBeDefined()
  })

  it('is unknown until the event of its product has arrived', async () => {
    server.serve('/late', png)
    const shop = openShop(images)
    expect(await faultOf(getCopy(images, shop.storeId, server.url('/late')))).toMatchObject({ code: 'not-found' })
    await shop.product(server.url('/late'))
    expect((await getCopy(images, shop.storeId, server.url('/late'))).image).toBeDefined()
  })

  it('has only the widths of pages', async () => {
    expect(await faultOf(getCopy(images, newStore(), server.url('/x'), 100))).toMatchObject({
      code: 'validation-failed',
      violations: [{ path: 'width', validation: 'enum' }],
    })
  })

  it('is deleted with its copies when no record names it any longer', async () => {
    server.serve('/shared', png)
    server.serve('/next', png)
    const shop = openShop(images)
    const [first, second] = [await shop.product(server.url('/shared')), await shop.product(server.url('/shared'))]
    await getCopy(images, shop.storeId, server.url('/shared'))
    await shop.product(server.url('/next'), first)
    expect((await getCopy(images, shop.storeId, server.url('/shared'))).image).toBeDefined()
    await shop.deleteProduct(second)
    expect(await faultOf(getCopy(images, shop.storeId, server.url('/shared')))).toMatchObject({ code: 'not-found' })
    expect([await countSources(images, shop.storeId), await countVariants(images, shop.storeId)]).toEqual([1, 0])
    await shop.product(undefined, first)
    expect(await countSources(images, shop.storeId)).toBe(0)
  })
})

describe('a copy', () => {
  it('is fetched again a day later, and returned as it is until then', async () => {
    server.serve('/daily', png, { etag: '"1"' })
    const shop = openShop(images)
    await shop.product(server.url('/daily'))
    const get = () => getCopy(images, shop.storeId, server.url('/daily'))
    const { etag } = await get()
    server.serve('/daily', jpeg, { etag: '"2"' })
    images.clock.advance(dayMs - minuteMs)
    expect((await get()).etag).toBe(etag)
    expect(server.requests('/daily')).toHaveLength(1)
    images.clock.advance(2 * minuteMs)
    expect((await get()).etag).toBe(etag)
    await until(async () => (await get()).etag !== etag || undefined)
    expect(server.requests('/daily')).toHaveLength(2)
    expect(server.requests('/daily')[1]).toMatchObject({ 'if-none-match': '"1"' })
    expect((await metadataOf((await get()).image)).height).toBe(100)
  })

  it('is kept if the server says that it has not changed', async () => {
    server.serve('/unchanged', png, { etag: '"1"' })
    const shop = openShop(images)
    await shop.product(server.url('/unchanged'))
    const get = () => getCopy(images, shop.storeId, server.url('/unchanged'))
    const { etag } = await get()
    server.respond('/unchanged', (_, response) => response.writeHead(304).end())
    images.clock.advance(dayMs + minuteMs)
    expect((await get()).etag).toBe(etag)
    await until(async () => server.requests('/unchanged').length === 2 || undefined)
    expect((await get()).etag).toBe(etag)
  })

  it('is returned while the server fails, which is tried again after ten minutes', async () => {
    server.serve('/outage', png)
    const shop = openShop(images)
    await shop.product(server.url('/outage'))
    const get = () => getCopy(images, shop.storeId, server.url('/outage'))
    const { etag } = await get()
    const failures = () => images.logLines.filter((line) => line.includes('image could not be fetched')).length
    server.respond('/outage', (_, response) => response.writeHead(500).end())
    for (let outage = 1; outage <= 2; outage += 1) {
      images.clock.advance(outage === 1 ? dayMs + minuteMs : 11 * minuteMs)
      const before = failures()
      expect((await get()).etag).toBe(etag)
      await until(async () => failures() > before || undefined)
      expect((await get()).etag).toBe(etag)
      expect(server.requests('/outage')).toHaveLength(1 + outage)
    }
    server.serve('/outage', jpeg)
    images.clock.advance(11 * minuteMs)
    await until(async () => (await get()).etag !== etag || undefined)
  })
})

describe('an image that cannot be fetched', () => {
  it('is not requested again for ten minutes', async () => {
    const shop = openShop(images)
    await shop.product(server.url('/broken'))
    const get = () => faultOf(getCopy(images, shop.storeId, server.url('/broken')))
    for (let call = 0; call < 3; call += 1) expect(await get()).toMatchObject({ code: 'not-found' })
    expect(server.requests('/broken')).toHaveLength(1)
    images.clock.advance(11 * minuteMs)
    server.serve('/broken', png)
    expect((await getCopy(images, shop.storeId, server.url('/broken'))).image).toBeDefined()
  })

  it('is requested once, however many shoppers wait for it', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    server.respond('/slow', (_, response) => void released.then(() => response.writeHead(200).end(png)))
    const shop = openShop(images)
    await shop.product(server.url('/slow'))
    const waiting = Array.from({ length: 20 }, () => getCopy(images, shop.storeId, server.url('/slow')))
    await until(async () => server.requests('/slow').length > 0 || undefined)
    release()
    const copies = await Promise.all(waiting)
    expect(new Set(copies.map(({ etag }) => etag)).size).toBe(1)
    expect(server.requests('/slow')).toHaveLength(1)
  })

  it('delays no image of another store', async () => {
    for (let n = 0; n < 10; n += 1) server.respond(`/hang-${n}`, () => {})
    server.serve('/quick', png)
    const [hanging, other] = [openShop(images), openShop(images)]
    for (let n = 0; n < 10; n += 1) await hanging.product(server.url(`/hang-${n}`))
    await other.product(server.url('/quick'))
    for (let n = 0; n < 10; n += 1) void getCopy(images, hanging.storeId, server.url(`/hang-${n}`)).catch(() => {})
    expect((await getCopy(images, other.storeId, server.url('/quick'))).image).toBeDefined()
  })
})

describe('the images of other records', () => {
  it('include the logos and the icon of the store', async () => {
    const shop = openShop(images)
    const [logoUrl = '', logoSquareUrl = '', iconUrl = ''] = ['/wide', '/square', '/icon'].map((path) =>
      server.url(path),
    )
    for (const path of ['/wide', '/square', '/icon']) server.serve(path, png)
    await shop.updateStore({ logoUrl, logoSquareUrl, iconUrl })
    for (const url of [logoUrl, logoSquareUrl, iconUrl]) {
      expect((await getCopy(images, shop.storeId, url)).image).toBeDefined()
    }
    await shop.updateStore({ logoUrl })
    expect(await countSources(images, shop.storeId)).toBe(1)
  })

  it('include the images of tags, until the tag is deleted', async () => {
    const shop = openShop(images)
    server.serve('/tag', png)
    const id = await shop.tag(server.url('/tag'))
    expect((await getCopy(images, shop.storeId, server.url('/tag'))).image).toBeDefined()
    await shop.deleteTag(id)
    expect(await countSources(images, shop.storeId)).toBe(0)
  })

  it('include the avatars of customers, until the customer is deleted', async () => {
    const shop = openShop(images)
    server.serve('/avatar', png)
    const avatarUrl = server.url('/avatar')
    const id = await shop.customer({ profile: { avatarUrl }, steam: { id: '1', name: 'Robin', avatarUrl } })
    expect((await getCopy(images, shop.storeId, avatarUrl)).image).toBeDefined()
    await shop.deleteCustomer(id)
    expect(await countSources(images, shop.storeId)).toBe(0)
  })

  it('of checkout sessions are kept for a year, although no product names them', async () => {
    const shop = openShop(images)
    server.serve('/inline', png)
    await shop.session(server.url('/inline'))
    expect((await getCopy(images, shop.storeId, server.url('/inline'))).image).toBeDefined()
    images.clock.advance(364 * dayMs)
    await shop.session(server.url('/inline'))
    images.clock.advance(2 * dayMs)
    const product = await shop.product(server.url('/inline'))
    expect(await countSources(images, shop.storeId)).toBe(1)
    images.clock.advance(364 * dayMs)
    // The product still names it (negative control).
    await shop.session(server.url('/other-session'))
    expect((await getCopy(images, shop.storeId, server.url('/inline'))).image).toBeDefined()
    await until(async () => {
      await shop.product(undefined, product)
      return (await countSources(images, shop.storeId)) === 1 || undefined
    })
  })
})

describe('what is logged', () => {
  it('names the key of an image, not its address', async () => {
    const shop = openShop(images)
    await shop.product(server.url('/signed?token=secret-of-the-cdn'))
    await faultOf(getCopy(images, shop.storeId, server.url('/signed?token=secret-of-the-cdn')))
    expect(images.logLines.some((line) => line.includes(shop.storeId) && line.includes('"reason":"status"'))).toBe(true)
    expect(images.logLines.join('')).not.toContain('secret-of-the-cdn')
  })
})

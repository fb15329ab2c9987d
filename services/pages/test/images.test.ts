import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { imageAddress } from '@storekeep/proto/conventions/image-address'
import { ImagesService } from '@storekeep/proto/images/v1/images_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const etag = 'AAAAbbbb1111-_22'
const storeId = randomId()
const url = 'https://cdn.example/sword.png'
const path = imageAddress('', storeId, url, 256)
let failure: Error | undefined
const asked: { storeId: string | undefined; key: string; width: number }[] = []
const images = useFakeService(ImagesService, {
  getImage: async ({ key, width, knownEtag }, call) => {
    asked.push({ storeId: call.storeId, key, width })
    if (failure) throw failure
    const image = Buffer.from('RIFF\xff\0\0\0WEBP', 'latin1')
    return { contentType: 'image/webp', etag, ...(knownEtag !== etag && { image }) }
  },
})

const others = { STORES_ADDRESS: '127.0.0.1:1', ORDERS_ADDRESS: '127.0.0.1:1' }

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({ ...others, IMAGES_ADDRESS: images.address, RATE_LIMIT_IMAGE_ADDRESS_PER_MINUTE: '30' })
})
afterAll(() => pages.stop())

describe('the copy of an image', () => {
  it.each(['pay.example', 'me.example'])('is at %s, for browsers and proxies to keep for a day', async (host) => {
    const { status, headers, body } = await pages.send({ host, path, from: '192.0.2.10' })
    expect([status, body.slice(0, 4)]).toEqual([200, 'RIFF'])
    expect(asked.at(-1)).toEqual({ storeId, key: path.split('/')[3], width: 256 })
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
      etag: `"${etag}"`,
      'x-content-type-options': 'nosniff',
      // Sites of stores show the images of the catalog.
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })

  it('is not sent again to a browser that has it', async () => {
    for (const known of [`"${etag}"`, `W/"${etag}"`]) {
      const headers = { 'if-none-match': known }
      expect(await pages.send({ path, headers, from: '192.0.2.11' })).toMatchObject({ status: 304, body: '' })
    }
    const headers = { 'if-none-match': '"another-version"' }
    expect(await pages.send({ path, headers, from: '192.0.2.11' })).toMatchObject({ status: 200 })
  })

  it('is missing for a path that `imageAddress` does not create, without a call', async () => {
    const before = asked.length
    const [, , store = '', key = ''] = path.split('/')
    for (const wrong of [
      `/images/${store}/${key}/256.png`,
      `/images/${store}/${key}/256`,
      `/images/${store}/${key}/0256.webp.webp`,
      `/images/${store}/${key.slice(1)}/256.webp`,
      `/images/${store}/${encodeURIComponent('https://cdn.example/')}/256.webp`,
      `/images/shop/${key}/256.webp`,
    ]) {
      expect(await pages.send({ path: wrong, from: '192.0.2.12' })).toMatchObject({ status: 404 })
    }
    expect(asked.length).toBe(before)
  })

  it.each([
    [404, errors.notFound('image')],
    [503, errors.unavailable()],
  ])('is a plain error (%d) that nothing keeps, if there is none', async (status, error) => {
    failure = error
    const response = await pages.send({ path, from: '192.0.2.13' })
    failure = undefined
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/plain' })
  })

  it.each([
    [404, errors.notFound('image')],
    [503, errors.unavailable()],
  ])('is replaced by the initials that its address names (%d)', async (status, error) => {
    failure = error
    const from = '192.0.2.16'
    const drawn = await pages.send({ path: `${path}?or=3SP`, from })
    const plain = await pages.send({ path: `${path}?or=${encodeURIComponent('3<script>')}`, from })
    failure = undefined
    expect([drawn.status, plain.status]).toEqual([status, status])
    expect(drawn.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'image/svg+xml' })
    expect(drawn.body).toContain('>SP</text>')
    expect(plain.headers['content-type']).toBe('text/plain')
    expect((await pages.send({ path: `${path}?or=3SP`, from })).headers['content-type']).toBe('image/webp')
  })

  it('is limited per address, separately from pages', async () => {
    const from = '192.0.2.14'
    for (let count = 0; count < 30; count += 1) expect((await pages.send({ path, from })).status).toBe(200)
    expect((await pages.send({ path, from })).status).toBe(429)
    expect((await pages.send({ path: '/', from })).status).not.toBe(429)
    expect((await pages.send({ path, from: '192.0.2.15' })).status).toBe(200)
  })
})

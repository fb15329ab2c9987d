import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({ STORES_ADDRESS: '127.0.0.1:1', ORDERS_ADDRESS: '127.0.0.1:1' })
})
afterAll(() => pages.stop())

const choose = (language: string, back: string) =>
  pages.send({ path: '/language', form: new URLSearchParams({ language, back }).toString() })

describe('a chosen language', () => {
  it('is kept in a cookie, and the same page is loaded again', async () => {
    const { status, location, headers } = await choose('nl', '/?t=abc&line=2')
    expect(status).toBe(303)
    expect(location).toBe('/?t=abc&line=2')
    const [cookie = ''] = headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^__Host-language=nl; .*Secure; HttpOnly; SameSite=Lax$/)
    const page = await pages.send({
      path: '/',
      headers: { cookie: cookie.split(';')[0] ?? '', 'accept-language': 'de' },
    })
    expect(page.body).toContain('<html lang="nl">')
  })

  it.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)', '', '/\\evil.example'])(
    'never leads to another site: %s',
    async (back) => {
      expect((await choose('nl', back)).location).toBe('/')
    },
  )

  it('must have texts', async () => {
    expect((await choose('xx', '/')).status).toBe(400)
  })
})

import { errors, violation } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { Game } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const [storeId, productId, customerId] = [randomId(), randomId(), randomId()]
const token = `skcus_${'a'.repeat(60)}`
const cookie = `__Host-shopper-${storeId}=${token}`
const steamUrl = 'https://steamcommunity.example/openid/login?openid.mode=checkid_setup'
const fresh = () => ({
  game: Game.MINECRAFT_OFFLINE as Game,
  isOpen: true,
  isRevoked: false,
  isCustomersDown: false,
  description: 'A **sword**.',
  steamReturns: [] as string[],
  slugs: [] as string[],
})
const state = fresh()
beforeEach(() => void Object.assign(state, fresh()))

const stores = useFakeService(StoresService, {
  async getStoreBySlug({ slug }) {
    state.slugs.push(slug)
    if (slug !== 'isles' && slug !== 'keep') throw errors.notFound('store')
    const { game, isOpen: storePageEnabled } = state
    return { store: { id: storeId, slug, name: 'Isles', game, currency: 'eur', bedrockPrefix: '.', storePageEnabled } }
  },
})
const customers = useFakeService(CustomersService, {
  async verifyToken() {
    if (state.isCustomersDown) throw errors.unavailable()
    if (state.isRevoked) throw errors.unauthorized()
    return { customer: { id: customerId, storeId, profile: { platform: 'minecraft', name: 'Notch' } }, claimed: true }
  },
  getSignInKey: async ({ id }) => ({ signInKey: id.toLowerCase() }),
  async signIn({ id }) {
    if (id === '!') throw errors.validationFailed([violation('id', 'pattern', 'must be a Minecraft Java name')])
    return { customerToken: token }
  },
  async startSteamSignIn({ returnTo }) {
    state.steamReturns.push(returnTo)
    return { redirectUrl: steamUrl }
  },
  async signInWithSteam({ returnTo, parameters }) {
    if (returnTo !== state.steamReturns.at(-1) || parameters['openid.sig'] !== 'genuine') throw errors.unauthorized()
    return { customerToken: token }
  },
})
const product = { id: productId, slug: 'sword', name: 'Sword', price: 1250n, allowOneTimePurchase: true }
const checkout = useFakeProcess('checkout', [
  fakeService(ProductsService, {
    listCatalogProducts: async () => ({ products: [product], page: { hasNext: true, hasPrevious: false } }),
    async getCatalogProduct({ idOrSlug }) {
      if (idOrSlug !== 'sword') throw errors.notFound('product')
      return { product: { ...product, description: state.description } }
    },
  }),
  fakeService(TagsService, { listTags: async () => ({ tags: [] }) }),
  fakeService(CartsService, {
    getCart: async () => ({ cart: { currency: 'eur' } }),
    setCartLines: async ({ lines }) => ({ cart: { currency: 'eur', lines: lines.map((input) => ({ input })) } }),
    checkOutCart: async () => ({ token: 'secret' }),
  }),
])

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: customers.address,
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: '127.0.0.1:1',
  })
})
afterAll(() => pages.stop())
// Past the time for which stores are kept, and the windows of the limits.
afterEach(() => {
  pages.time.ms += 120_000
})

const host = 'shop.example'
const get = (path: string, headers: Record<string, string> = {}) => pages.send({ path: `/store${path}`, host, headers })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  pages.send({ path: `/store${path}`, host, headers, form: new URLSearchParams(fields).toString() })
const cookiesOf = ({ headers }: Awaited<ReturnType<typeof get>>) => headers['set-cookie'] ?? []

describe('a store page', () => {
  it('exists only for stores that have opened theirs', async () => {
    expect((await get('/isles')).status).toBe(200)
    for (const path of ['/nothing', '/ISLES', '/', '/isles/', '/isles/nothing'])
      expect((await get(path)).status).toBe(404)
    pages.time.ms += 6000
    state.isOpen = false
    for (const path of ['/isles', '/isles/products/sword', '/isles/cart', '/isles/sign-in', '/isles/sign-in/steam']) {
      expect((await get(path)).status).toBe(404)
    }
    expect((await post('/isles/sign-in', { name: 'Notch' })).status).toBe(404)
  })

  it('looks its store up once in five seconds', async () => {
    await Promise.all([get('/isles'), get('/isles'), get('/isles/cart')])
    expect(state.slugs).toEqual(['isles'])
    pages.time.ms += 5001
    await get('/isles')
    expect(state.slugs).toEqual(['isles', 'isles'])
  })

  it('may be listed by search engines, unlike pages of a shopper', async () => {
    const robots = async (path: string) => (await get(path)).headers['x-robots-tag']
    expect([await robots('/isles'), await robots('/isles/products/sword'), await robots('/isles/cart')]).toEqual([
      'all',
      'all',
      'noindex',
    ])
  })

  it('shows products to everyone while the customers service is unavailable, and no cart', async () => {
    state.isCustomersDown = true
    expect((await get('/isles', { cookie })).body).toContain('Sword')
    expect((await get('/isles/cart', { cookie })).status).toBe(503)
  })

  it('takes less than 60 KB, compressed', async () => {
    const { headers } = await get('/isles', { 'accept-encoding': 'gzip' })
    expect(Number(headers['content-length'])).toBeLessThan(60_000)
  })
})

describe('the description of a product', () => {
  it.each([
    ['A **sword**.', '<p>A <strong>sword</strong>.</p>'],
    ['# One\n\n### Two', '<h2>One</h2>\n<h2>Two</h2>'],
    ['[site](https://isles.example)', 'target="_blank" rel="nofollow noopener noreferrer">site</a>'],
  ])('is Markdown: %s', async (description, expected) => {
    state.description = description
    expect((await get('/isles/products/sword')).body).toContain(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '![x](https://evil.example/pixel.png)',
    '<https://a.example/"onclick="alert(1)>',
    '`</code><iframe src=//evil.example>`',
  ])('runs no code and loads nothing: %s', async (description) => {
    state.description = description
    const [prose = ''] = /<div class="prose">[\s\S]*?<\/div>/.exec((await get('/isles/products/sword')).body) ?? []
    expect(prose).not.toBe('')
    expect(prose).not.toMatch(/<(script|img|iframe)|href="(javascript|data):|\sonclick=/i)
  })
})

describe('signing in with a name', () => {
  it('sets a cookie of the store that scripts cannot read, and returns to the product', async () => {
    const back = '/store/isles/products/sword?quantity=2'
    const response = await post('/isles/sign-in', { name: ' Notch ', back })
    expect([response.status, response.location]).toEqual([303, back])
    expect(cookiesOf(response)).toEqual([
      `__Host-shopper-${storeId}=${token}; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=Lax`,
    ])
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/store/islesevil',
    '/store/keep/cart',
    '/checkout/',
    'javascript:alert(1)',
    '/store/isles/../keep',
    `/store/isles/${'x'.repeat(3000)}`,
    '',
  ])('never leads to another site or store: %s', async (back) => {
    expect((await post('/isles/sign-in', { name: 'Notch', back })).location).toBe('/store/isles')
    expect((await get(`/isles/sign-in?${new URLSearchParams({ back })}`, { cookie })).location).toBe('/store/isles')
  })

  it('explains a name that no player can have', async () => {
    const { location = '' } = await post('/isles/sign-in', { name: '!', back: '' })
    const { body } = await pages.send({ path: location, host })
    expect(body).toContain('No player has this name.')
    expect(body).toContain('aria-invalid="true"')
  })

  it('is limited per name, except for a player who has signed in from the address before', async () => {
    const from = '192.0.2.9'
    const signIn = async (name: string, address: string) => {
      const form = new URLSearchParams({ name }).toString()
      return (await pages.send({ path: '/store/isles/sign-in', host, form, from: address })).status
    }
    expect(await signIn('Ada', from)).toBe(303)
    for (let index = 0; index < 9; index += 1) expect(await signIn('Ada', `198.51.100.${index}`)).toBe(303)
    expect(await signIn('ADA', '198.51.100.100')).toBe(429)
    expect(await signIn('Ada', from)).toBe(303)
    expect(await pages.limited('sign-in-name')).toBe(1)
  })

  it('is accepted only from a page of ours', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of [
      '/isles/sign-in',
      '/isles/cart',
      '/isles/cart/checkout',
      '/isles/products/sword',
      '/isles/sign-out',
    ]) {
      expect((await post(path, { name: 'Notch' }, { cookie, ...headers })).status).toBe(403)
    }
  })
})

describe('a session', () => {
  it('ends when the tokens of the customer are revoked', async () => {
    expect((await get('/isles', { cookie })).body).toContain('Notch')
    state.isRevoked = true
    expect((await get('/isles', { cookie })).body).not.toContain('Notch')
    expect((await post('/isles/cart/checkout', {}, { cookie })).location).toBe(
      '/store/isles/sign-in?back=%2Fstore%2Fisles%2Fcart',
    )
  })

  it('ends with a sign-out', async () => {
    const response = await post('/isles/sign-out', {}, { cookie })
    expect(response.location).toBe('/store/isles')
    expect(cookiesOf(response)).toEqual([
      `__Host-shopper-${storeId}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax`,
    ])
  })

  it('of another store is none', async () => {
    expect((await get('/isles', { cookie: `__Host-shopper-${randomId()}=${token}` })).body).not.toContain('Notch')
  })

  it('is needed to fill a cart: the shopper signs in, and returns to the product with the choices', async () => {
    const { location = '' } = await post('/isles/products/sword', { quantity: '3' })
    expect(new URL(location, 'https://x').searchParams.get('back')).toBe('/store/isles/products/sword?quantity=3')
    const { body } = await get('/isles/products/sword?quantity=3')
    expect(body).toContain('name="quantity" type="number" inputmode="numeric" min="1" max="1000" required value="3"')
  })
})

describe('signing in through Steam', () => {
  beforeEach(() => {
    state.game = Game.RUST
  })

  /** Starts a sign-in, and returns what Steam and the browser then know. */
  async function start(back = '/store/isles/products/sword') {
    const response = await get(`/isles/sign-in/steam?${new URLSearchParams({ back })}`)
    expect([response.status, response.location]).toEqual([303, steamUrl])
    const returned = new URL(state.steamReturns.at(-1) ?? '')
    expect(returned.origin + returned.pathname).toBe('https://shop.example/store/isles/sign-in/return')
    return { cookie: cookiesOf(response)[0]?.split(';')[0] ?? '', search: returned.search }
  }

  it('is offered in a store of such a game, in place of a name', async () => {
    const { body } = await get('/isles/sign-in')
    expect(body).toContain('href="/store/isles/sign-in/steam?back=%2Fstore%2Fisles"')
    expect(body).not.toContain('name="name"')
  })

  it('returns to the product with a session', async () => {
    const { cookie, search } = await start()
    const response = await get(`/isles/sign-in/return${search}&openid.sig=genuine`, { cookie })
    expect([response.status, response.location]).toEqual([303, '/store/isles/products/sword'])
    expect(cookiesOf(response)).toEqual([
      expect.stringContaining(`__Host-shopper-${storeId}=${token}; `),
      expect.stringContaining('__Host-steam=; Max-Age=0; '),
    ])
  })

  it.each([
    ['another browser', '', 'genuine'],
    ['a forged assertion', undefined, 'forged'],
    ['an assertion that names a field twice', undefined, 'genuine&openid.sig=forged'],
  ])('rejects %s', async (_name, otherCookie, signature) => {
    const { cookie, search } = await start()
    const response = await get(`/isles/sign-in/return${search}&openid.sig=${signature}`, {
      cookie: otherCookie ?? cookie,
    })
    expect(response.location).toMatch(/^\/store\/isles\/sign-in\?.*problem=steam/)
    expect(cookiesOf(response)).toEqual([])
  })
})

describe('a cart', () => {
  it('leads to the checkout, to which the policy of the page allows redirects', async () => {
    expect((await get('/isles/cart', { cookie })).formAction).toBe("'self' https://pay.example")
    const { status, location } = await post('/isles/cart/checkout', {}, { cookie })
    expect([status, location]).toEqual([303, 'https://pay.example/?t=secret'])
  })

  it('asks to sign in first', async () => {
    expect((await get('/isles/cart')).body).toContain('Sign in to see your cart.')
  })
})

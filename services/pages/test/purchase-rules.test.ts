import { errors, type Violation, violation } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useFakeDelivery } from './fake-delivery.ts'
import { startPages } from './start-pages.ts'

const token = 'a'.repeat(28)
const [survival, creative, skyblock] = [randomId(), randomId(), randomId()]
const friendId = randomId()
const initial = {
  lines: [] as object[],
  violations: [] as Violation[],
  selected: [] as object[],
  required: { names: ['VIP', 'MVP'], all: false },
  failure: undefined as Error | undefined,
  payments: 0,
}
const state = { ...initial }

const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: '1', name: 'Isles' } }) })
const customers = useFakeService(CustomersService, {
  batchGetProfiles: async () => ({
    profiles: [{ customerId: friendId, profile: { platform: 'service', name: 'Robin Friend' } }],
  }),
})
const checkout = useFakeService(CheckoutService, {
  async selectGameServer({ position, gameServerId }) {
    if (state.failure) throw state.failure
    state.selected.push({ position, gameServerId })
    return {}
  },
  listRequiredProducts: async ({ position }) => (position === 2 ? state.required : {}),
})
const orders = useFakeProcess('orders', [
  fakeService(PaymentsService, {
    getPaymentState: async () => ({
      session: { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur', lines: state.lines },
    }),
    listPaymentMethods: async () => ({ providers: [PaymentProvider.TEST] }),
    async startPayment() {
      state.payments += 1
      throw errors.validationFailed(state.violations)
    },
  }),
])
const delivery = useFakeDelivery()

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: customers.address,
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: orders.address,
    DELIVERY_ADDRESS: delivery.address(),
  })
})
afterAll(() => pages.stop())
beforeEach(() => {
  Object.assign(state, structuredClone({ ...initial, failure: undefined }))
  Object.assign(delivery, {
    outage: 'none',
    gameServers: new Map([
      [survival, 'Survival'],
      [creative, 'Creative <b>'],
      [skyblock, 'Skyblock'],
    ]),
  })
})

const show = async (query = '') => (await pages.send({ path: `/?t=${token}${query}` })).body
const noticeOf = (body: string) => /<p class="notice error" role="alert">(.*?)<\/p>/.exec(body)?.[1]

describe('the game server of a line', () => {
  const line = { name: 'VIP', quantity: 1, selectedGameserverId: survival }
  const optionsOf = (body: string) =>
    [...body.matchAll(/<option value="\d+"( selected)?>(.*?)<\/option>/g)].map(([, selected, name]) =>
      selected ? `${name} (selected)` : name,
    )

  it('is shown by its name, without a form if the product runs on all of its servers', async () => {
    state.lines = [line]
    const body = await show()
    expect(body).toContain('Game server: Survival')
    expect(body).not.toContain('<select id="game-server')
  })

  it.each([
    ['among the servers of the product', [survival, skyblock], ['Survival (selected)', 'Skyblock']],
    ['among all servers', [], ['Survival (selected)', 'Creative &lt;b&gt;', 'Skyblock']],
    ['unless there is only one', [survival], []],
  ])('can be chosen %s', async (_, gameServerIds, options) => {
    state.lines = [{ ...line, gameServerChoice: { gameServerIds } }]
    expect(optionsOf(await show())).toEqual(options)
  })

  const payWith = (choices: string) => {
    const form = `email=ada%40example.com&method=test&total=100&${choices}`
    return pages.send({ path: `/pay?t=${token}`, form })
  }

  it('is changed when the order is paid, only in the lines for which another was chosen', async () => {
    const choosable = { ...line, gameServerChoice: {} }
    state.lines = [choosable, choosable, line]
    await payWith(`game-server-1=${survival}&game-server-2=${skyblock}&game-server-3=${skyblock}`)
    expect(state.selected).toEqual([{ position: 2, gameServerId: skyblock }])
    expect(state.payments).toBe(1)
  })

  it.each([
    [
      'a server that is no longer available',
      skyblock,
      errors.validationFailed([violation('game_server_id', 'enum', 'x')]),
    ],
    ['a malformed server', '__proto__', undefined],
  ])('leads back to its field without a payment for %s', async (_, server, failure) => {
    state.lines = [line, { ...line, gameServerChoice: {} }]
    state.failure = failure
    const { status, location = '' } = await payWith(`game-server-2=${server}`)
    expect([status, location]).toEqual([303, `/?t=${token}&notice=server-unavailable&line=2`])
    expect([state.selected, state.payments]).toEqual([[], 0])
    expect((await pages.send({ path: location })).body).toMatch(
      /id="game-server-2-hint">This game server can no longer/,
    )
  })

  it('is omitted while the delivery service is unavailable, and the order can be paid', async () => {
    state.lines = [{ ...line, gameServerChoice: {} }]
    delivery.outage = 'unavailable'
    const body = await show()
    expect(body).not.toContain('<select id="game-server')
    expect(body).toContain('Pay €1.00')
  })
})

describe('a purchase that the products of its recipient forbid', () => {
  const required = violation(
    'lines.1.product_id',
    'reference',
    'requires other products first',
    'required-product-missing',
  )
  const owned = violation('lines.1.product_id', 'reference', 'only once at a time', 'product-already-owned')
  const pay = async (one: Violation, gift = false) => {
    state.lines = [{ name: 'Kit' }, { name: 'VIP+', ...(gift && { giftToCustomerId: friendId }) }]
    state.violations = [one]
    const form = 'email=ada%40example.com&method=test&total=100'
    const { status, location = '' } = await pages.send({ path: `/pay?t=${token}`, form })
    expect(status).toBe(303)
    return location
  }

  it.each([
    ['any required product', false, required, false, 'To buy VIP+, you first need VIP or MVP.'],
    ['all required products', false, required, true, 'To buy VIP+, you first need VIP and MVP.'],
    [
      'a recipient without a required product',
      true,
      required,
      false,
      'To receive VIP+, Robin Friend first needs VIP or MVP.',
    ],
    ['an owner of the product', false, owned, false, 'You already own VIP+, and can have it only once at a time.'],
    [
      'a recipient who owns the product',
      true,
      owned,
      false,
      'Robin Friend already owns VIP+, and can have it only once at a time.',
    ],
  ])('is explained: %s', async (_, gift, one, all, text) => {
    state.required = { ...state.required, all }
    const { body } = await pages.send({ path: await pay(one, gift) })
    expect(noticeOf(body)).toBe(`${text} You have not been charged.`)
    expect(body).toContain('Pay €1.00')
  })

  it('is explained without names once the required products were deleted', async () => {
    state.required = { names: [], all: false }
    const { body } = await pages.send({ path: await pay(required) })
    expect(noticeOf(body)).toBe('To buy VIP+, you first need other products of this store. You have not been charged.')
  })

  it.each([
    ['de', 'Um VIP+ zu kaufen, brauchst du zuerst VIP oder MVP. Es wurde nichts abgebucht.'],
    ['es', 'Para comprar VIP+, primero necesitas VIP o MVP. No se te ha cobrado nada.'],
    ['pt', 'Para comprar VIP+, você precisa primeiro de VIP ou MVP. Nada foi cobrado.'],
    ['fr', 'Pour acheter VIP+, il vous faut d’abord VIP ou MVP. Rien n’a été débité.'],
  ])('is explained in the language of the shopper: %s', async (language, text) => {
    const headers = { 'accept-language': language }
    expect(noticeOf((await pages.send({ path: await pay(required), headers })).body)).toBe(text)
  })

  it.each(['&line=0', '&line=9', '&line=x', ''])(
    'shows no notice for a line that does not exist: %s',
    async (about) => {
      state.lines = [{ name: 'Kit' }]
      expect(noticeOf(await show(`&notice=product-owned${about}`))).toBeUndefined()
    },
  )
})

import { type Client, createClient } from '@storekeep/common/grpc'
import { createTestTransport, faultOf, internal, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import { type CartLineInputSchema, CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Init } from './fake-others.ts'
import { codesOf, newBuyer, shopper, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, customers, customVariables, delivery } = checkouts.others
let carts: Client<typeof CartsService>
let close = () => {}
beforeAll(() => {
  const transport = createTestTransport('checkout', checkouts.running.address)
  carts = createClient(CartsService, transport)
  close = transport.close
})
afterAll(() => close())

type Line = Init<typeof CartLineInputSchema>
type Buyer = ReturnType<typeof newBuyer>

async function set({ options, customerId }: Buyer, lines: Line[]) {
  return (await carts.setCartLines({ customerId, lines }, options)).cart
}
const read = async ({ options, customerId }: Buyer) => (await carts.getCart({ customerId }, options)).cart
const checkOut = ({ options, customerId }: Buyer, order = {}) => carts.checkOutCart({ customerId, ...order }, options)

async function sessionOf({ options }: Buyer, checkoutId = '') {
  const { session } = await checkouts.client.getCheckoutSession({ checkoutId }, options)
  if (!session) throw new Error('GetCheckoutSession returned no session')
  return session
}

async function complete(buyer: Buyer, checkoutId = '') {
  const { totalAmount, currency, storeId } = await sessionOf(buyer, checkoutId)
  const payment = { paymentId: randomId(), orderId: randomId(), amount: totalAmount, currency }
  await checkouts.client.completeCheckoutSession({ checkoutId, payment }, internal({ storeId }))
}

describe('a cart', () => {
  it('is empty until it is used, and keeps its lines with their current prices', async () => {
    const buyer = newBuyer(checkouts)
    expect(await read(buyer)).toMatchObject({ lines: [], subtotalAmount: 0n, currency: 'eur' })
    expect((await read(buyer))?.updatedAt).toBeUndefined()
    const friend = customers.add(buyer.options.storeId)
    const server = delivery.addServer(buyer.options.storeId ?? '')
    const color = customVariables.add('color', { red: { price: 250n, priceType: PriceType.FIXED } })
    const imageUrl = 'https://shop.example/kit.png'
    const productId = await checkouts.addProduct(buyer.options, { customVariableIds: [color], imageUrl, slug: 'kit' })
    const lines: Line[] = [
      {
        productId,
        quantity: 2,
        recipient: { case: 'giftToCustomerId', value: friend },
        selectedGameserverId: server,
        customVariables: { color: 'red' },
      },
      { productId, quantity: 1, customVariables: { color: 'red' }, recipient: gift('steam', '76561197960287930') },
    ]
    const cart = await set(buyer, lines)
    expect(cart).toMatchObject({
      lines: [
        { input: lines[0], name: 'VIP rank', slug: 'kit', imageUrl, unitPrice: 1250n, totalAmount: 2500n },
        { input: lines[1], unitPrice: 1250n, totalAmount: 1250n },
      ],
      subtotalAmount: 3750n,
      updatedAt: expect.anything(),
    })
    expect(cart?.lines[0]?.problem).toBeUndefined()
    expect(await read(buyer)).toEqual(cart)
    const update = { productId, product: { price: 2000n }, updateMask: { paths: ['price'] } }
    await checkouts.products().updateProduct(update, buyer.options)
    expect((await read(buyer))?.subtotalAmount).toBe(6750n)
    expect(customers.accounts.filter((account) => account.startsWith(`${buyer.options.storeId} `))).toEqual([])
  })

  it('belongs to one customer of one store', async () => {
    const buyer = newBuyer(checkouts)
    await set(buyer, [{ productId: await checkouts.addProduct(buyer.options), quantity: 1 }])
    const other = { ...buyer, customerId: customers.add(buyer.options.storeId) }
    const elsewhere = { ...newBuyer(checkouts), customerId: buyer.customerId }
    for (const one of [other, elsewhere]) expect((await read(one))?.lines).toEqual([])
  })

  it('keeps lines that cannot be bought now, and says why', async () => {
    const buyer = newBuyer(checkouts)
    const { options } = buyer
    const products = checkouts.products()
    const limit = { enabled: true, quantity: 1n, includeTrials: false }
    const color = customVariables.add('color', { red: { price: 250n, priceType: PriceType.FIXED } })
    const [good, deleted, disabled, scarce, asking] = await Promise.all([
      checkouts.addProduct(options),
      checkouts.addProduct(options),
      checkouts.addProduct(options),
      checkouts.addProduct(options, { storeStockLimit: limit }),
      checkouts.addProduct(options, { customVariableIds: [color] }),
    ])
    await products.deleteProduct({ productId: deleted }, options)
    await products.updateProduct({ productId: disabled, enabled: false, updateMask: { paths: ['enabled'] } }, options)
    const cart = await set(buyer, [
      { productId: good, quantity: 1 },
      { productId: deleted, quantity: 1 },
      { productId: disabled, quantity: 1 },
      { productId: scarce, quantity: 2 },
      { productId: asking, quantity: 1 },
      { productId: asking, quantity: 1, customVariables: { color: 'red' } },
      { productId: good, quantity: 1, subscription: true },
      { productId: good, quantity: 1, recipient: { case: 'giftToCustomerId', value: randomId() } },
    ])
    const problems = cart?.lines.map(({ problem }) => problem && `${problem.field} ${problem.code}`)
    expect(problems).toEqual([
      undefined,
      'product_id product-unavailable',
      'product_id product-unavailable',
      'product_id product-out-of-stock',
      'custom_variables.color required',
      undefined,
      'subscription enum',
      'gift_to_customer_id reference',
    ])
    expect(cart?.lines.map(({ name, unitPrice }) => [name, unitPrice])).toEqual([
      ['VIP rank', 1000n],
      [undefined, undefined],
      [undefined, undefined],
      ['VIP rank', 1000n],
      ['VIP rank', undefined],
      ['VIP rank', 1250n],
      ['VIP rank', 1000n],
      ['VIP rank', 1000n],
    ])
    expect(cart?.subtotalAmount).toBe(2250n)
  })

  it.each<[string, Line[], string[]]>([
    ['no product', [{ quantity: 1 }], ['lines.0.product_id required']],
    ['a malformed product', [{ productId: 'x', quantity: 1 }], ['lines.0.product_id format']],
    ['no unit', [{ productId: '5', quantity: 0 }], ['lines.0.quantity min']],
    [
      'a gift of a subscription',
      [{ productId: '5', quantity: 1, subscription: true, recipient: { case: 'giftToCustomerId', value: '7' } }],
      ['lines.0.gift_to_customer_id exclusive'],
    ],
    ['101 lines', Array(101).fill({ productId: '5', quantity: 1 }), ['lines length']],
    ['64 KiB', [{ productId: '5', quantity: 1, customVariables: { a: 'x'.repeat(65_536) } }], ['lines max']],
  ])('rejects %s and keeps its lines', async (_, lines, expected) => {
    const buyer = newBuyer(checkouts)
    const before = await set(buyer, [{ productId: await checkouts.addProduct(buyer.options), quantity: 1 }])
    expect(await violationsOf(set(buyer, lines))).toEqual(expected)
    expect(await read(buyer)).toEqual(before)
  })

  it('is emptied by no lines and by ClearCart', async () => {
    const buyer = newBuyer(checkouts)
    const line = { productId: await checkouts.addProduct(buyer.options), quantity: 1 }
    await set(buyer, [line])
    expect((await set(buyer, []))?.lines).toEqual([])
    await set(buyer, [line])
    for (let times = 0; times < 2; times += 1) await carts.clearCart({ customerId: buyer.customerId }, buyer.options)
    expect((await read(buyer))?.lines).toEqual([])
  })

  it('is deleted 90 days after its last change', async () => {
    const [old, used] = [newBuyer(checkouts), newBuyer(checkouts)]
    for (const buyer of [old, used]) {
      await set(buyer, [{ productId: await checkouts.addProduct(buyer.options), quantity: 1 }])
    }
    await checkouts.database.query(sql`
      update cart set updated_at = updated_at - interval '90 days' where store_id = ${old.options.storeId}`)
    const stored = () =>
      checkouts.database.query(sql`
      select 1 from cart where store_id = any(${[old.options.storeId, used.options.storeId]}::bigint[])`)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(1), { timeout: 30_000, interval: 50 })
    expect((await read(used))?.lines).toHaveLength(1)
  })
})

describe('CheckOutCart', () => {
  it('creates an editable session of the lines, once per key', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options)
    await set(buyer, [{ productId, quantity: 2 }])
    const keyed = { ...buyer, options: withKey(buyer.options) }
    const order = { promoCodes: [coupons.codeOf(coupons.add())], returnUrl: 'https://shop.example/thanks' }
    const created = await checkOut(keyed, { ...order, customerIp: '192.0.2.1' })
    expect(created).toMatchObject({ token: expect.stringMatching(/^[a-z2-7]{28}$/), url: expect.any(String) })
    expect(await checkOut(keyed, { ...order, customerIp: '192.0.2.2' })).toEqual(created)
    expect(await sessionOf(buyer, created.session?.id)).toMatchObject({
      customerId: buyer.customerId,
      editable: true,
      lines: [{ productId, quantity: 2, totalAmount: 1800n }],
      couponDiscountAmount: 200n,
      returnUrl: order.returnUrl,
    })
  })

  it('names what cannot be bought, and an empty cart', async () => {
    const buyer = newBuyer(checkouts)
    expect(await codesOf(checkOut(buyer))).toEqual(['lines length'])
    await set(buyer, [{ productId: randomId(), quantity: 1 }])
    expect(await codesOf(checkOut(buyer))).toEqual(['lines.0.product_id reference'])
    expect(await faultOf(checkOut({ ...buyer, customerId: randomId() }))).toMatchObject({ code: 'validation-failed' })
  })

  it('removes the bought lines when the session is completed, and no others', async () => {
    const buyer = newBuyer(checkouts)
    const ids = await Promise.all([1, 2, 3].map(() => checkouts.addProduct(buyer.options)))
    const [bought = '', removed = '', added = ''] = ids
    const gifted = { productId: bought, quantity: 1, recipient: gift('steam', '76561197960287930') }
    await set(buyer, [{ productId: bought, quantity: 1 }, gifted, { productId: removed, quantity: 1 }])
    const { session, token } = await checkOut(buyer)
    // On the checkout page, the buyer removes the third line; meanwhile, another tab changes the cart.
    const { storeId = '' } = buyer.options
    await checkouts.client.updateCheckoutLines({ token, lines: [{ position: 3, quantity: 0 }] }, shopper(storeId))
    const other = { ...gifted, recipient: gift('steam', '76561197960287931') }
    await set(buyer, [
      { productId: added, quantity: 1 },
      { productId: bought, quantity: 5 },
      gifted,
      other,
      { productId: removed, quantity: 1 },
    ])
    expect((await read(buyer))?.lines).toHaveLength(5)
    await complete(buyer, session?.id)
    const left = (await read(buyer))?.lines.map(({ input }) => input)
    expect(left).toMatchObject([{ productId: added }, other, { productId: removed }])
  })

  it('keeps the cart while a session is canceled, and when another session is completed', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options)
    await set(buyer, [{ productId, quantity: 1 }])
    const lines = [{ quantity: 1, item: { case: 'productId' as const, value: productId } }]
    const direct = { customerId: buyer.customerId, lines }
    const { session } = await checkouts.client.createCheckoutSession(direct, buyer.options)
    await complete(buyer, session?.id)
    expect((await read(buyer))?.lines).toHaveLength(1)
  })
})

function gift(platform: string, id: string) {
  return { case: 'giftTo' as const, value: { platform, id } }
}

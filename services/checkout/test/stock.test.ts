import { publishEvent } from '@storekeep/common/events'
import { faultOf, internal, operator, randomId, retryUnavailable, useRelay, withKey } from '@storekeep/common/testing'
import { IntervalScale, type StockLimitSchema } from '@storekeep/proto/checkout/v1/product'
import { DeliveryItemRevokedSchema, DeliveryItemUsedSchema } from '@storekeep/proto/delivery/v1/events'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { insertStockReservation } from '../src/products/db/stock-repository.ts'
import { findStockViolations } from '../src/sessions/steps/reserve-stock.ts'
import type { Init } from './fake-others.ts'
import { codesOf, inline, newBuyer, ofProduct, type Terms, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
useRelay(checkouts)
const { customers, coupons } = checkouts.others
const dayMs = 24 * 3_600_000

type Buyer = ReturnType<typeof newBuyer>
type Limit = Omit<Init<typeof StockLimitSchema>, '$typeName'>
const limitOf = (quantity: number, limit: Limit = {}): Limit => ({
  enabled: true,
  quantity: BigInt(quantity),
  ...limit,
})

/** A buyer in a new store, and a product with these limits. */
async function newShop(terms: Terms): Promise<Buyer & { productId: string }> {
  const buyer = newBuyer(checkouts)
  return { ...buyer, productId: await checkouts.addProduct(buyer.options, terms) }
}

/** Creates a session. @returns its id, or the path and item code of the first violation */
async function buy({ options, customerId }: Buyer, ...lines: ReturnType<typeof ofProduct>[]): Promise<string> {
  const call = withKey(options)
  const created = retryUnavailable(() => checkouts.client.createCheckoutSession({ customerId, lines }, call))
  const [first] = await codesOf(created)
  return first ?? (await created).session?.id ?? ''
}

const outOfStock = 'lines.0.product_id product-out-of-stock'
const customerLimit = 'lines.0.product_id product-customer-limit'

/** The units that are left for the store and for the customer. */
async function available({ options, customerId, productId }: Buyer & { productId: string }) {
  const { product } = await checkouts.products().getProduct({ productId, customerId }, options)
  const { storeAvailable, customerAvailable } = product?.stockAvailable ?? {}
  return [storeAvailable, customerAvailable].map((units) => (units === undefined ? undefined : Number(units)))
}

/** Publishes that the item of a unit has ended, as the delivery service does, and waits until it is consumed. */
async function end(how: 'revoked' | 'used', { storeId = '', ...item }: EndedItem): Promise<void> {
  const consumed = async () => (await checkouts.database.query(sql`select 1 from consumed_event`)).length
  const before = await consumed()
  await checkouts.database.transaction((tx) =>
    publishEvent(tx, {
      service: 'delivery',
      aggregate: 'delivery_item',
      verb: how,
      aggregateId: randomId(),
      aggregateVersion: 2,
      storeId,
      schema: how === 'revoked' ? DeliveryItemRevokedSchema : DeliveryItemUsedSchema,
      message: {
        item: {
          checkoutId: item.checkoutId,
          orderLine: item.line ?? 1,
          product: { id: item.productId },
          quantityIndex: item.unit ?? 0,
        },
      },
      traceparent: undefined,
    }),
  )
  await expect.poll(consumed).toBe(before + 1)
}

interface EndedItem {
  storeId: string | undefined
  checkoutId: string
  productId: string
  line?: number
  unit?: number
}

describe('a stock limit of the store', () => {
  it('sells exactly 10 units to 64 concurrent buyers', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(10) })
    const buyers = Array.from({ length: 64 }, () => ({
      ...shop,
      customerId: customers.add(shop.options.storeId),
    }))
    const results = await Promise.all(buyers.map((buyer) => buy(buyer, ofProduct(shop.productId))))
    expect(results.filter((result) => result === outOfStock)).toHaveLength(54)
    expect(await available(shop)).toEqual([0, undefined])
  })

  it('would sell more without the lock (negative control)', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(1) })
    const { storeId = '' } = shop.options
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<void>()
    let reads = 0
    const demand = {
      at: '',
      productId: shop.productId,
      customerId: shop.customerId,
      quantity: 1,
      storeStockLimit: { enabled: true, quantity: 1, timeValue: null, timeScale: null, includeTrials: false },
      customerStockLimit: null,
      stockLimitDoNotIncludeRemoved: false,
    }
    const reserveUnsafely = () =>
      checkouts.database.transaction(async (tx) => {
        const now = checkouts.clock.now()
        const violations = await findStockViolations(tx, storeId, [demand], now)
        reads += 1
        if (reads === 2) resolve()
        await bothHaveRead
        if (violations.length > 0) return 0
        insertStockReservation(tx, { ...demand, storeId, checkoutId: randomId(), position: 1, reservedAt: now })
        return 1
      })
    expect(await Promise.all([reserveUnsafely(), reserveUnsafely()])).toEqual([1, 1])
  })

  it('counts all lines of an order, and names the line that asks for too much', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(5) })
    const { productId } = shop
    const lines = [ofProduct(productId, { quantity: 3 }), inline(), ofProduct(productId, { quantity: 3 })]
    expect(await buy(shop, ...lines)).toBe('lines.2.product_id product-out-of-stock')
    expect(await available(shop)).toEqual([5, undefined])
    await buy(shop, ofProduct(productId, { quantity: 3 }), ofProduct(productId, { quantity: 2 }))
    expect(await available(shop)).toEqual([0, undefined])
  })

  it('reports all violations of an order together, and reserves neither stock nor coupon', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(0) })
    const couponId = coupons.add()
    const request = {
      customerId: shop.customerId,
      lines: [ofProduct(shop.productId), ofProduct(randomId())],
      couponId,
    }
    const fault = await faultOf(checkouts.client.createCheckoutSession(request, shop.options))
    expect(fault).toMatchObject({
      code: 'validation-failed',
      violations: [
        { path: 'lines.1.product_id', code: 'reference' },
        { path: 'lines.0.product_id', validation: 'reference' },
      ],
    })
    expect(coupons.reservationsOf(couponId)).toMatchObject({ reserved: 0 })
  })

  it('counts a repeated call with the same key once', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(3) })
    const call = withKey(shop.options)
    const request = { customerId: shop.customerId, lines: [ofProduct(shop.productId)] }
    const first = await checkouts.client.createCheckoutSession(request, call)
    expect(await checkouts.client.createCheckoutSession(request, call)).toEqual(first)
    expect(await available(shop)).toEqual([2, undefined])
  })

  it('counts only checkouts that were created while it was enabled', async () => {
    const shop = await newShop({})
    const { options, productId } = shop
    await buy(shop, ofProduct(productId))
    const change = (enabled: boolean) =>
      checkouts.products().updateProduct(
        {
          productId,
          product: { storeStockLimit: { ...limitOf(2), enabled } },
          updateMask: { paths: ['store_stock_limit'] },
        },
        options,
      )
    const { product } = await change(true)
    expect(product?.stockAvailable).toMatchObject({ storeAvailable: 2n })
    await buy(shop, ofProduct(productId, { quantity: 2 }))
    expect(await buy(shop, ofProduct(productId))).toBe(outOfStock)
    await change(false)
    await buy(shop, ofProduct(productId, { quantity: 9 }))
    expect((await change(true)).product?.stockAvailable).toMatchObject({ storeAvailable: 0n })
  })

  it.each<[string, Limit, number]>([
    ['days', { timeValue: 2, timeScale: IntervalScale.DAY }, 2],
    ['weeks', { timeValue: 1, timeScale: IntervalScale.WEEK }, 7],
    ['months', { timeValue: 1, timeScale: IntervalScale.MONTH }, 31],
    ['years', { timeValue: 1, timeScale: IntervalScale.YEAR }, 366],
  ])('counts only the units within a window of %s', async (_, window, days) => {
    const shop = await newShop({ storeStockLimit: limitOf(1, window), customerStockLimit: limitOf(1, window) })
    const id = await buy(shop, ofProduct(shop.productId))
    await checkouts.client.completeCheckoutSession({ checkoutId: id }, { ...operator(), storeId: shop.options.storeId })
    checkouts.clock.advance((days - 4) * dayMs)
    if (days > 4) expect(await buy(shop, ofProduct(shop.productId))).toBe(outOfStock)
    checkouts.clock.advance(4 * dayMs)
    expect(await available(shop)).toEqual([1, 1])
    expect(await buy(shop, ofProduct(shop.productId))).toMatch(/^\d+$/)
  })

  it('is not available to an inline product, whose units cannot be counted', async () => {
    const shop = newBuyer(checkouts)
    const line = inline({ storeStockLimit: limitOf(1), customerStockLimit: { enabled: false } })
    expect(await buy(shop, line)).toBe('lines.0.inline_product.store_stock_limit.enabled exclusive')
  })
})

describe('a stock limit per customer', () => {
  it('counts the units of each customer', async () => {
    const shop = await newShop({ customerStockLimit: limitOf(2) })
    const other = { ...shop, customerId: customers.add(shop.options.storeId) }
    await buy(shop, ofProduct(shop.productId, { quantity: 2 }))
    expect(await buy(shop, ofProduct(shop.productId))).toBe(customerLimit)
    expect(await available(shop)).toEqual([undefined, 0])
    expect(await available(other)).toEqual([undefined, 2])
    expect(await buy(other, ofProduct(shop.productId))).toMatch(/^\d+$/)
  })

  it('sells exactly 2 units to 16 concurrent calls of one customer', async () => {
    const shop = await newShop({ customerStockLimit: limitOf(2) })
    const results = await Promise.all(Array.from({ length: 16 }, () => buy(shop, ofProduct(shop.productId))))
    expect(results.filter((result) => result === customerLimit)).toHaveLength(14)
  })

  it('counts a gift for its recipient, who may be an account', async () => {
    const shop = await newShop({ customerStockLimit: limitOf(1) })
    const friend = { ...shop, customerId: customers.add(shop.options.storeId) }
    const toFriend = { recipient: { case: 'giftToCustomerId' as const, value: friend.customerId } }
    await buy(shop, ofProduct(shop.productId, toFriend))
    expect(await available(friend)).toEqual([undefined, 0])
    expect(await available(shop)).toEqual([undefined, 1])
    const toAccount = { recipient: { case: 'giftTo' as const, value: { platform: 'steam', id: '76561198000000001' } } }
    expect(await buy(shop, ofProduct(shop.productId, toAccount))).toMatch(/^\d+$/)
    expect(await buy(shop, ofProduct(shop.productId, toAccount))).toBe(customerLimit)
  })

  it('is not returned without a customer, and lists return it for the given one', async () => {
    const shop = await newShop({ customerStockLimit: limitOf(4), storeStockLimit: limitOf(9) })
    await checkouts.addProduct(shop.options)
    const { product } = await checkouts.products().getProduct({ productId: shop.productId }, shop.options)
    expect(product?.stockAvailable).toMatchObject({ storeAvailable: 9n })
    expect(product?.stockAvailable?.customerAvailable).toBeUndefined()
    const { products } = await checkouts.products().listProducts({ customerId: shop.customerId }, shop.options)
    expect(products.map(({ stockAvailable }) => stockAvailable)).toMatchObject([
      {},
      { storeAvailable: 9n, customerAvailable: 4n },
    ])
  })
})

describe('reserved units', () => {
  it('are released when the session is canceled, once', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(3), customerStockLimit: limitOf(3) })
    const checkoutId = await buy(shop, ofProduct(shop.productId, { quantity: 3 }))
    const cancel = { ...operator(), storeId: shop.options.storeId }
    await checkouts.client.cancelCheckoutSession({ checkoutId }, cancel)
    await checkouts.client.cancelCheckoutSession({ checkoutId }, cancel)
    expect(await available(shop)).toEqual([3, 3])
  })

  it('are released when the session expires', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(3) })
    const other = await checkouts.addProduct(shop.options, { storeStockLimit: limitOf(1) })
    await buy(shop, ofProduct(shop.productId), ofProduct(other))
    await buy(shop, ofProduct(shop.productId))
    checkouts.clock.advance(dayMs)
    await expect.poll(() => available(shop)).toEqual([3, undefined])
    await expect.poll(() => available({ ...shop, productId: other })).toEqual([1, undefined])
  })

  it('stay sold when the session is paid, and after its time', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(1) })
    const checkoutId = await buy(shop, ofProduct(shop.productId))
    const payment = { paymentId: randomId(), orderId: randomId(), amount: 1000n, currency: 'eur' }
    await checkouts.client.completeCheckoutSession({ checkoutId, payment }, internal({ storeId: shop.options.storeId }))
    // The sweep expires this session after it has passed the paid one.
    const later = await newShop({ storeStockLimit: limitOf(1) })
    await buy(later, ofProduct(later.productId))
    checkouts.clock.advance(dayMs)
    await expect.poll(() => available(later)).toEqual([1, undefined])
    expect(await available(shop)).toEqual([0, undefined])
  })
})

describe('units of items that have ended', () => {
  it.each(['revoked', 'used'] as const)(
    'no longer count after the item was %s, if the product does not include removed ones',
    async (how) => {
      const terms = { storeStockLimit: limitOf(2), customerStockLimit: limitOf(2), stockLimitDoNotIncludeRemoved: true }
      const shop = await newShop(terms)
      const checkoutId = await buy(shop, inline(), ofProduct(shop.productId, { quantity: 2 }))
      const item = { storeId: shop.options.storeId, checkoutId, productId: shop.productId, line: 2, unit: 1 }
      await end(how, item)
      expect(await available(shop)).toEqual([1, 1])
    },
  )

  it('are returned once, even if an expired item is revoked afterwards, and never more than were sold', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(1), stockLimitDoNotIncludeRemoved: true })
    const checkoutId = await buy(shop, ofProduct(shop.productId))
    const item = { storeId: shop.options.storeId, checkoutId, productId: shop.productId }
    await end('used', item)
    await end('revoked', item)
    await end('revoked', { ...item, unit: 1 })
    await end('revoked', { ...item, checkoutId: randomId() })
    expect(await available(shop)).toEqual([1, undefined])
    expect(await buy(shop, ofProduct(shop.productId))).toMatch(/^\d+$/)
    expect(await available(shop)).toEqual([0, undefined])
  })

  it('still count otherwise, until the product is changed', async () => {
    const window = { timeValue: 1, timeScale: IntervalScale.YEAR }
    const shop = await newShop({ storeStockLimit: limitOf(1, window) })
    const checkoutId = await buy(shop, ofProduct(shop.productId))
    await end('revoked', { storeId: shop.options.storeId, checkoutId, productId: shop.productId })
    expect(await available(shop)).toEqual([0, undefined])
    const product = { stockLimitDoNotIncludeRemoved: true }
    const updateMask = { paths: ['stock_limit_do_not_include_removed'] }
    await checkouts.products().updateProduct({ productId: shop.productId, product, updateMask }, shop.options)
    expect(await available(shop)).toEqual([1, undefined])
  })

  it('are found for a renewal, whose order has other line numbers', async () => {
    const shop = await newShop({ storeStockLimit: limitOf(1), stockLimitDoNotIncludeRemoved: true })
    const checkoutId = await buy(shop, inline(), ofProduct(shop.productId))
    await end('used', { storeId: shop.options.storeId, checkoutId, productId: shop.productId, line: 1 })
    expect(await available(shop)).toEqual([1, undefined])
  })
})

describe('a checkout of products without limits', () => {
  it('touches no stock', async () => {
    const shop = await newShop({ storeStockLimit: { enabled: false, quantity: 1n } })
    await buy(shop, ofProduct(shop.productId))
    const { storeId } = shop.options
    const rows = await checkouts.database.query(sql`
      select 1 from product_stock where store_id = ${storeId}
      union all select 1 from stock_reservation where store_id = ${storeId}`)
    expect(rows).toEqual([])
    expect(await available(shop)).toEqual([undefined, undefined])
  })
})

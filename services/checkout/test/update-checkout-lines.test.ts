import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, internal, operator, randomId, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { codesOf, inline, newBuyer, ofProduct, type Request, shopper, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, customers, delivery } = checkouts.others
const monthly = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const

/** An editable session and the calls of its page. The coupons of the fake deduct 10 %. */
async function aSession(request: Request = {}, buyer = newBuyer(checkouts)) {
  const { options, customerId } = buyer
  const lines = [inline({ name: 'one' }, { quantity: 2 }), inline({ name: 'two' }), inline({ name: 'three' })]
  const created = await checkouts.client.createCheckoutSession(
    { customerId, lines, editable: true, ...request },
    options,
  )
  const { token, session } = created
  const checkoutId = session?.id ?? ''
  const { storeId = '' } = options
  const change = (lines: [position: number, quantity: number][], version?: bigint) =>
    checkouts.client.updateCheckoutLines(
      {
        token,
        lines: lines.map(([position, quantity]) => ({ position, quantity })),
        ...(version !== undefined && { version }),
      },
      shopper(storeId),
    )
  return {
    id: checkoutId,
    storeId,
    token,
    change,
    read: async () => (await checkouts.client.getCheckoutSession({ checkoutId }, options)).session,
  }
}

const records = () => checkouts.database.query(sql`select state from coupon_reservation`)

describe('UpdateCheckoutLines', () => {
  it('changes quantities and removes lines at the prices of the session, and publishes the result', async () => {
    const session = await aSession()
    const { session: changed, removedCouponCode } = await session.change([
      [3, 5],
      [2, 0],
    ])
    expect(changed).toMatchObject({ subtotalAmount: 7000n, totalAmount: 7000n, version: 2n, editable: true })
    expect(changed?.lines).toMatchObject([
      { name: 'one', quantity: 2, unitPrice: 1000n, totalAmount: 2000n },
      { name: 'three', quantity: 5, unitPrice: 1000n, totalAmount: 5000n },
    ])
    expect(removedCouponCode).toBeUndefined()
    expect(await session.read()).toEqual(changed)
    const [, event] = await eventsOf(checkouts, session.id)
    expect(event).toMatchObject({ type: 'checkout_session.updated', version: '2', message: { session: changed } })
    expect(await records()).toEqual([])
  })

  it('changes nothing for the quantities that the session has', async () => {
    const session = await aSession()
    const before = await session.read()
    expect((await session.change([[1, 2]])).session).toEqual(before)
    expect(await eventsOf(checkouts, session.id)).toHaveLength(1)
  })

  it('computes the discounts of the coupon and the affiliate link again', async () => {
    const [couponId, code] = [coupons.add({ limit: 1 }), coupons.addLink(50n)]
    const session = await aSession({ couponId, affiliateCode: code })
    const { session: changed } = await session.change([[1, 3]])
    expect(changed).toMatchObject({
      couponId,
      couponDiscountAmount: 500n,
      affiliateDiscountAmount: 50n,
      totalAmount: 4450n,
    })
    expect(changed?.lines).toMatchObject([{ discountAmount: 300n, totalAmount: 2700n }, {}, {}])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 1 })
    expect(await records()).toEqual([])
  })

  it('removes a coupon that no longer applies, and says so', async () => {
    const couponId = coupons.add()
    const session = await aSession({ couponId })
    coupons.reject(couponId, 'coupon-below-minimum')
    const { session: changed, removedCouponCode } = await session.change([[1, 0]])
    expect(removedCouponCode).toBe(coupons.codeOf(couponId))
    expect(changed).toMatchObject({ couponDiscountAmount: 0n, totalAmount: 2000n })
    expect(changed?.couponId).toBeUndefined()
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })

  it('keeps the subscription only while a line is a subscription', async () => {
    const session = await aSession({ lines: [inline(monthly, { subscription: true }), inline()] })
    expect((await session.change([[1, 2]])).session?.subscription).toMatchObject({ intervalValue: 1 })
    expect((await session.change([[1, 0]])).session?.subscription).toBeUndefined()
  })

  it('keeps everything else of the lines', async () => {
    const buyer = newBuyer(checkouts)
    const { storeId = '' } = buyer.options
    const friend = customers.add(storeId)
    const server = delivery.addServer(storeId)
    const productId = await checkouts.addProduct(buyer.options, {
      singleGameServerOnly: true,
      imageUrl: 'https://shop.example/vip.png',
    })
    const line = ofProduct(productId, {
      recipient: { case: 'giftToCustomerId', value: friend },
      selectedGameserverId: server,
      metadata: { note: 'a' },
      payoutSplits: [{ payoutId: 'p1' }],
    })
    const session = await aSession({ lines: [inline(), line] }, buyer)
    const before = await session.read()
    const { session: changed } = await session.change([
      [1, 0],
      [2, 3],
    ])
    expect(changed?.lines).toEqual([{ ...before?.lines[1], quantity: 3, totalAmount: 3000n }])
  })

  it.each<[string, [number, number][], string[]]>([
    ['no change', [], ['lines length']],
    ['an unknown line', [[4, 1]], ['lines.0.position reference']],
    ['position 0', [[0, 1]], ['lines.0.position reference']],
    [
      'a line twice',
      [
        [1, 1],
        [1, 2],
      ],
      ['lines.1.position unique'],
    ],
    ['a negative quantity', [[1, -1]], ['lines.0.quantity min']],
    ['a quantity above 1,000', [[1, 1001]], ['lines.0.quantity max']],
    [
      'the removal of all lines',
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
      ['lines length'],
    ],
  ])('rejects %s', async (_, lines, expected) => {
    const session = await aSession()
    expect(await violationsOf(session.change(lines))).toEqual(expected)
    expect((await session.read())?.version).toBe(1n)
    expect(await records()).toEqual([])
  })

  it('rejects sessions that are not editable, have changed, are being paid, have ended, or belong to another store', async () => {
    const plain = await aSession({ editable: false })
    expect(await faultOf(plain.change([[1, 1]]))).toMatchObject({ code: 'conflict' })
    const changed = await aSession()
    await changed.change([[1, 1]], 1n)
    expect(await faultOf(changed.change([[2, 2]], 1n))).toMatchObject({ code: 'conflict' })
    const paying = await aSession()
    await checkouts.client.extendCheckoutSession({ checkoutId: paying.id }, internal({ storeId: paying.storeId }))
    expect(await faultOf(paying.change([[1, 1]]))).toMatchObject({ code: 'conflict' })
    const ended = await aSession()
    const payment = { paymentId: randomId(), orderId: randomId(), amount: 4000n, currency: 'eur' }
    const completion = { checkoutId: ended.id, payment }
    await checkouts.client.completeCheckoutSession(completion, internal({ storeId: ended.storeId }))
    expect(await faultOf(ended.change([[1, 1]]))).toMatchObject({ code: 'conflict' })
    const request = { token: plain.token, lines: [{ position: 1, quantity: 1 }] }
    const foreign = checkouts.client.updateCheckoutLines(request, shopper(randomId()))
    expect(await faultOf(foreign)).toMatchObject({ code: 'not-found' })
  })

  it('sells more units only of products that can be bought, and fewer of any', async () => {
    const buyer = newBuyer(checkouts)
    const { options } = buyer
    const products = checkouts.products()
    const ids = await Promise.all([1, 2, 3, 4].map(() => checkouts.addProduct(options)))
    const [deleted = '', disabled = '', ended = '', exclusive = ''] = ids
    const lines = [...ids.map((id) => ofProduct(id)), ofProduct(disabled, { quantity: 3 })]
    const session = await aSession({ lines }, buyer)
    await products.deleteProduct({ productId: deleted }, options)
    await products.updateProduct({ productId: disabled, enabled: false, updateMask: { paths: ['enabled'] } }, options)
    const enabledUntil = timestampFromDate(checkouts.clock.now())
    await products.updateProduct(
      { productId: ended, product: { enabledUntil }, updateMask: { paths: ['enabled_until'] } },
      options,
    )
    await products.updateProduct(
      { productId: exclusive, product: {}, updateMask: { paths: ['allow_concurrent_active_items'] } },
      options,
    )
    const more = [1, 2, 3, 4].map((position): [number, number] => [position, 2])
    expect(await codesOf(session.change(more))).toEqual([
      'lines.0.quantity reference',
      'lines.1.quantity reference',
      'lines.2.quantity reference',
      'lines.3.quantity product-already-owned',
    ])
    const fewer: [number, number][] = [
      [5, 1],
      [1, 0],
    ]
    expect((await session.change(fewer)).session?.lines).toHaveLength(4)
  })

  it('reserves the units of products with a stock limit again', async () => {
    const buyer = newBuyer(checkouts)
    const { options } = buyer
    const limit = { enabled: true, quantity: 5n, includeTrials: false }
    const productId = await checkouts.addProduct(options, { storeStockLimit: limit })
    const available = async () =>
      (await checkouts.products().getProduct({ productId }, options)).product?.stockAvailable?.storeAvailable
    const session = await aSession({ lines: [inline(), ofProduct(productId, { quantity: 2 })] }, buyer)
    await session.change([
      [1, 0],
      [2, 5],
    ])
    expect(await available()).toBe(0n)
    expect(await codesOf(session.change([[1, 6]]))).toEqual(['lines.0.quantity product-out-of-stock'])
    expect(await available()).toBe(0n)
    await session.change([[1, 1]])
    expect(await available()).toBe(4n)
    const other = await aSession({ lines: [ofProduct(productId, { quantity: 4 })] }, buyer)
    expect(await codesOf(other.change([[1, 5]]))).toEqual(['lines.0.quantity product-out-of-stock'])
    await other.change([[1, 3]])
    expect(await available()).toBe(1n)
    await checkouts.client.cancelCheckoutSession({ checkoutId: other.id }, operator({ storeId: other.storeId }))
    expect(await available()).toBe(4n)
  })

  it('counts the units of a line that grows after its product received a stock limit', async () => {
    const buyer = newBuyer(checkouts)
    const { options } = buyer
    const productId = await checkouts.addProduct(options)
    const session = await aSession({ lines: [ofProduct(productId)] }, buyer)
    const storeStockLimit = { enabled: true, quantity: 3n, includeTrials: false }
    await checkouts
      .products()
      .updateProduct({ productId, product: { storeStockLimit }, updateMask: { paths: ['store_stock_limit'] } }, options)
    expect(await codesOf(session.change([[1, 4]]))).toEqual(['lines.0.quantity product-out-of-stock'])
    await session.change([[1, 3]])
    const { product } = await checkouts.products().getProduct({ productId }, options)
    expect(product?.stockAvailable?.storeAvailable).toBe(0n)
  })

  it('never sells more units than there are to concurrent changes', async () => {
    const buyer = newBuyer(checkouts)
    const limit = { enabled: true, quantity: 10n, includeTrials: false }
    const productId = await checkouts.addProduct(buyer.options, { storeStockLimit: limit })
    const sessions = await Promise.all([1, 2, 3, 4].map(() => aSession({ lines: [ofProduct(productId)] }, buyer)))
    const results = await Promise.all(sessions.map((session) => codesOf(session.change([[1, 4]]))))
    expect(results.filter((codes) => codes.length === 0)).toHaveLength(2)
    const { product } = await checkouts.products().getProduct({ productId }, buyer.options)
    expect(product?.stockAvailable?.storeAvailable).toBe(0n)
  })
})

describe('a game server', () => {
  it('is never chosen for another line than the buyer saw', async () => {
    const buyer = newBuyer(checkouts)
    const server = delivery.addServer(buyer.options.storeId ?? '')
    const choice = inline({ singleGameServerOnly: true }, { selectedGameserverId: server })
    const session = await aSession({ lines: [inline(), choice] }, buyer)
    await session.change([[1, 0]])
    const select = checkouts.client.selectGameServer(
      { token: session.token, position: 2, gameServerId: server },
      shopper(session.storeId),
    )
    expect(await violationsOf(select)).toEqual(['position reference'])
  })
})

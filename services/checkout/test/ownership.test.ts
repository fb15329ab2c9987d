import { faultOf, internal, randomId } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import {
  codesOf,
  createTestSession,
  inline,
  type Line,
  newBuyer,
  ofProduct,
  rejectionsOf,
  useCheckouts,
} from './harness.ts'

const checkouts = useCheckouts()
const { customers, delivery, coupons } = checkouts.others

const buy = (buyer: ReturnType<typeof newBuyer>, lines: Line[]) => rejectionsOf(checkouts, buyer, lines)
const missing = 'lines.0.product_id required-product-missing'
const owned = 'lines.0.product_id product-already-owned'

describe('a product that requires others', () => {
  it('is sold to customers who own one of them', async () => {
    const buyer = newBuyer(checkouts)
    const [one, other] = [await checkouts.addProduct(buyer.options), await checkouts.addProduct(buyer.options)]
    const productId = await checkouts.addProduct(buyer.options, { requiredProductIds: [one, other] })
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([missing])
    delivery.own(buyer.customerId, other)
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([])
    const stranger = { ...buyer, customerId: customers.add(buyer.options.storeId) }
    expect(await buy(stranger, [ofProduct(productId)])).toEqual([missing])
  })

  it('is sold only to owners of all of them, if it requires all', async () => {
    const buyer = newBuyer(checkouts)
    const [one, other] = [await checkouts.addProduct(buyer.options), await checkouts.addProduct(buyer.options)]
    const terms = { requiredProductIds: [one, other], requiredProductAll: true }
    const productId = await checkouts.addProduct(buyer.options, terms)
    delivery.own(buyer.customerId, one)
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([missing])
    delivery.own(buyer.customerId, other)
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([])
  })

  it('may be an inline product', async () => {
    const buyer = newBuyer(checkouts)
    const required = await checkouts.addProduct(buyer.options)
    const line = inline({ requiredProductIds: [required] })
    expect(await buy(buyer, [line])).toEqual(['lines.0.inline_product required-product-missing'])
    delivery.own(buyer.customerId, required)
    expect(await buy(buyer, [line])).toEqual([])
  })
})

describe('a product without concurrent items', () => {
  it('is not sold to its owner', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options, { allowConcurrentActiveItems: false })
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([])
    delivery.own(buyer.customerId, productId)
    expect(await buy(buyer, [ofProduct(productId)])).toEqual([owned])
  })

  it('is not sold twice in one order', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options, { allowConcurrentActiveItems: false })
    expect(await buy(buyer, [ofProduct(productId, { quantity: 2 })])).toEqual([owned])
    expect(await buy(buyer, [ofProduct(productId), ofProduct(productId)])).toEqual([
      'lines.1.product_id product-already-owned',
    ])
    const once = inline({ allowConcurrentActiveItems: false }, { quantity: 2 })
    expect(await buy(buyer, [once])).toEqual(['lines.0.inline_product product-already-owned'])
  })

  it('is checked for the recipient of a gift, not for its buyer', async () => {
    const buyer = newBuyer(checkouts)
    const friend = customers.add(buyer.options.storeId)
    const productId = await checkouts.addProduct(buyer.options, { allowConcurrentActiveItems: false })
    const gift = ofProduct(productId, { recipient: { case: 'giftToCustomerId', value: friend } })
    delivery.own(buyer.customerId, productId)
    expect(await buy(buyer, [gift])).toEqual([])
    delivery.own(friend, productId)
    expect(await buy(buyer, [gift])).toEqual([owned])
  })

  it('is checked for a recipient who is named by an account, whose coupon reservation is then released', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options, { allowConcurrentActiveItems: false })
    const couponId = coupons.add()
    const value = { platform: 'steam', id: '76561198000000007' }
    const gift = ofProduct(productId, { recipient: { case: 'giftTo', value } })
    const give = () =>
      checkouts.client.createCheckoutSession({ customerId: buyer.customerId, lines: [gift], couponId }, buyer.options)
    const { session } = await give()
    const checkoutId = session?.id ?? ''
    const { session: created } = await checkouts.client.getCheckoutSession({ checkoutId }, buyer.options)
    delivery.own(created?.lines[0]?.giftToCustomerId ?? '', productId)
    expect(await codesOf(give())).toEqual([owned])
    expect(coupons.reservationsOf(couponId)).toMatchObject({ reserved: 1, released: 1 })
  })
})

describe('what customers own', () => {
  it('is checked again before money moves', async () => {
    const buyer = newBuyer(checkouts)
    const required = await checkouts.addProduct(buyer.options)
    const terms = { allowConcurrentActiveItems: false, requiredProductIds: [required] }
    const productId = await checkouts.addProduct(buyer.options, terms)
    delivery.own(buyer.customerId, required)
    const { id } = await createTestSession(checkouts, buyer, { lines: [inline(), ofProduct(productId)] })
    // The session keeps the terms.
    await checkouts.products().deleteProduct({ productId }, buyer.options)
    const prepare = () =>
      checkouts.client.preparePayment(
        { session: { case: 'checkoutId', value: id } },
        internal({ storeId: buyer.options.storeId }),
      )
    expect(await codesOf(prepare())).toEqual([])
    delivery.own(buyer.customerId, productId)
    expect(await codesOf(prepare())).toEqual(['lines.1.product_id product-already-owned'])
  })

  it('is asked for once per recipient, and not at all without such products', async () => {
    const buyer = newBuyer(checkouts)
    const friend = customers.add(buyer.options.storeId)
    const terms = { allowConcurrentActiveItems: false }
    const [one, other] = [
      await checkouts.addProduct(buyer.options, terms),
      await checkouts.addProduct(buyer.options, terms),
    ]
    const before = delivery.questions.length
    await buy(buyer, [
      ofProduct(one),
      ofProduct(other),
      ofProduct(one, { recipient: { case: 'giftToCustomerId', value: friend } }),
    ])
    expect(delivery.questions.slice(before)).toEqual([
      { customerId: buyer.customerId, productIds: [one, other] },
      { customerId: friend, productIds: [one] },
    ])
    const calls = delivery.calls
    const { id } = await createTestSession(checkouts, buyer, {
      lines: [inline(), ofProduct(await checkouts.addProduct(buyer.options))],
    })
    const byId = { session: { case: 'checkoutId' as const, value: id } }
    await checkouts.client.preparePayment(byId, internal({ storeId: buyer.options.storeId }))
    expect(delivery.calls).toBe(calls)
  })

  it('is required to sell: without the delivery service, the response is 503', async () => {
    const buyer = newBuyer(checkouts)
    const line = inline({ requiredProductIds: [await checkouts.addProduct(buyer.options)] })
    delivery.outage = 'unavailable'
    const fault = await faultOf(
      checkouts.client.createCheckoutSession({ customerId: buyer.customerId, lines: [line] }, buyer.options),
    )
    const plain = await buy(buyer, [inline()])
    delivery.outage = 'none'
    expect(fault).toMatchObject({ code: 'service-unavailable' })
    expect(plain).toEqual([])
  })

  it('can be unknown for more products than one call can name', async () => {
    const buyer = newBuyer(checkouts)
    const lines = Array.from({ length: 5 }, () =>
      inline({ requiredProductIds: Array.from({ length: 50 }, () => randomId()) }),
    )
    const before = delivery.questions.length
    expect(await buy(buyer, lines)).toHaveLength(5)
    expect(
      delivery.questions
        .slice(before)
        .map(({ productIds }) => productIds.length)
        .sort(),
    ).toEqual([200, 50])
  })
})

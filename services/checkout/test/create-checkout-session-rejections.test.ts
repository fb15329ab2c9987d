import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { violation } from '@storekeep/common/errors'
import { countEvents, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, type Line, newBuyer, ofProduct, type Request, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { customers, customVariables } = checkouts.others

type Buyer = ReturnType<typeof newBuyer>

async function rejectionsOf(request: Request, { options, customerId }: Buyer = newBuyer(checkouts)) {
  const items = await violationsOf(
    checkouts.client.createCheckoutSession({ customerId, lines: [inline()], ...request }, options),
  )
  expect(await countEvents(checkouts, options.storeId)).toBe(0)
  return items
}

const line = (fields: Omit<Line, 'item'>) => ({ lines: [inline({}, fields)] })
const giftTo = (platform: string, id: string) => ({
  recipient: { case: 'giftTo' as const, value: { platform, id } },
})
const subscription = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const

describe('CreateCheckoutSession rejects', () => {
  it.each<[string, Request, string[]]>([
    ['no customer', { customerId: '' }, ['customer_id required']],
    ['a malformed customer', { customerId: '01' }, ['customer_id format']],
    ['no lines', { lines: [] }, ['lines length']],
    ['101 lines', { lines: Array.from({ length: 101 }, () => inline()) }, ['lines length']],
    ['quantity 0', line({ quantity: 0 }), ['lines.0.quantity min']],
    ['quantity 1001', line({ quantity: 1001 }), ['lines.0.quantity max']],
    ['a line without a product', { lines: [{ quantity: 1 }] }, ['lines.0.product_id required']],
    ['a malformed product id', { lines: [ofProduct('x')] }, ['lines.0.product_id format']],
    ['an inline product without a name', { lines: [inline({ name: '' })] }, ['lines.0.inline_product.name length']],
    ['a price below 0', { lines: [inline({ price: -1n })] }, ['lines.0.inline_product.price min']],
    ['a trial without a subscription', line({ trial: true }), ['lines.0.trial exclusive']],
    [
      'a gift of a subscription',
      { lines: [inline(subscription, { subscription: true, ...giftTo('steam', '1') })] },
      ['lines.0.gift_to exclusive'],
    ],
    [
      'a gift to a malformed id',
      line({ recipient: { case: 'giftToCustomerId', value: 'x' } }),
      ['lines.0.gift_to_customer_id format'],
    ],
    [
      'a gift without a recipient',
      line(giftTo('', '')),
      ['lines.0.gift_to.id length', 'lines.0.gift_to.platform length'],
    ],
    ['a malformed game server', line({ selectedGameserverId: 'x' }), ['lines.0.selected_gameserver_id format']],
    [
      'metadata that exceeds its limits',
      { metadata: { a: 'x'.repeat(501) }, ...line({ metadata: { ['k'.repeat(65)]: '' } }) },
      [`lines.0.metadata.${'k'.repeat(65)} length`, 'metadata.a length'],
    ],
    [
      'payout splits of more than 100 %',
      line({
        payoutSplits: [
          { payoutId: 'a', percentage: 6000n },
          { payoutId: 'b', percentage: 4001n },
        ],
      }),
      ['lines.0.payout_splits.1.percentage max'],
    ],
    [
      'two payout splits of the remainder',
      line({ payoutSplits: [{ payoutId: 'a' }, { payoutId: 'b' }] }),
      ['lines.0.payout_splits.0.percentage required'],
    ],
    [
      'a negative payout split without a recipient',
      line({ payoutSplits: [{ payoutId: '', percentage: -1n }] }),
      ['lines.0.payout_splits.0.payout_id length', 'lines.0.payout_splits.0.percentage min'],
    ],
    [
      'a platform fee outside 0 to 10,000 basis points',
      line({
        payoutSplits: [
          { payoutId: 'a', percentage: 1n, platformFee: -1n },
          { payoutId: 'b', platformFee: 10_001n },
        ],
      }),
      ['lines.0.payout_splits.0.platform_fee min', 'lines.0.payout_splits.1.platform_fee max'],
    ],
    ['a malformed coupon id', { couponId: 'x' }, ['coupon_id format']],
    ['an empty code', { promoCodes: ['a', ' '] }, ['promo_codes.1 length']],
    ['11 codes', { promoCodes: Array(11).fill('a') }, ['promo_codes length']],
    ['an invalid URL', { returnUrl: 'javascript:alert(1)' }, ['return_url format']],
    ['a URL with credentials', { cancelUrl: 'https://a:b@shop.example/' }, ['cancel_url format']],
    ['auto_redirect without a return URL', { autoRedirect: true }, ['return_url required']],
    [
      'an invalid email address',
      { customerDetails: { billingEmail: 'robin' } },
      ['customer_details.billing_email format'],
    ],
    [
      'an email address that is too long for a ban after case folding',
      { customerDetails: { billingEmail: `${'İ'.repeat(120)}${'a'.repeat(120)}@example.org` } },
      ['customer_details.billing_email format'],
    ],
    [
      'a billing address with invalid fields',
      { customerDetails: { billingAddress: { postalCode: 'x'.repeat(257), line1: 'a\0b' } } },
      ['customer_details.billing_address.line_1 pattern', 'customer_details.billing_address.postal_code length'],
    ],
    ['a malformed IP address', { customerIp: '1.2.3' }, ['customer_ip format']],
  ])('%s', async (_, request, items) => {
    expect((await rejectionsOf(request)).sort()).toEqual(items)
  })

  it('an invalid order with all its violations', async () => {
    const request = { lines: [inline({}, { quantity: 0 }), inline({ name: '' })], returnUrl: 'x', couponId: 'y' }
    expect(await rejectionsOf(request)).toEqual([
      'lines.0.quantity min',
      'lines.1.inline_product.name length',
      'coupon_id format',
      'return_url format',
    ])
  })

  it('customers, recipients and products of another store', async () => {
    const buyer = newBuyer(checkouts)
    const other = newBuyer(checkouts)
    const productId = await checkouts.addProduct(other.options)
    const foreign = { ...buyer, customerId: other.customerId }
    expect(await rejectionsOf({}, foreign)).toEqual(['customer_id reference'])
    const recipient = { case: 'giftToCustomerId' as const, value: other.customerId }
    const request = { lines: [inline(), ofProduct(productId), inline({}, { recipient }), ofProduct(randomId())] }
    expect(await rejectionsOf(request, buyer)).toEqual([
      'lines.1.product_id reference',
      'lines.3.product_id reference',
      'lines.2.gift_to_customer_id reference',
    ])
  })

  it('products that are not on sale yet or no longer', async () => {
    const buyer = newBuyer(checkouts)
    const at = (milliseconds: number) => timestampFromDate(new Date(checkouts.clock.now().getTime() + milliseconds))
    const [early, late] = await Promise.all([
      checkouts.addProduct(buyer.options, { enabledAt: at(60_000) }),
      checkouts.addProduct(buyer.options, { enabledUntil: at(0) }),
    ])
    const request = { lines: [ofProduct(early), ofProduct(late), inline({ enabledUntil: at(-1) })] }
    // `rejectionsOf` expects no events, but adding the products publishes some.
    expect(
      await violationsOf(
        checkouts.client.createCheckoutSession({ customerId: buyer.customerId, ...request }, buyer.options),
      ),
    ).toEqual(['lines.0.product_id reference', 'lines.1.product_id reference', 'lines.2.inline_product reference'])
  })

  it('disabled products', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const [enabled, disabled] = [await checkouts.addProduct(options), await checkouts.addProduct(options)]
    const disable = { productId: disabled, enabled: false, updateMask: { paths: ['enabled'] } }
    await checkouts.products().updateProduct(disable, options)
    const lines = [ofProduct(enabled), ofProduct(disabled)]
    const call = checkouts.client.createCheckoutSession({ customerId, lines }, options)
    expect(await violationsOf(call)).toEqual(['lines.1.product_id reference'])
  })

  it.each<[string, Line, string]>([
    ['a subscription to a product without one', inline({}, { subscription: true }), 'lines.0.subscription enum'],
    [
      'a one-time purchase of a subscription-only product',
      inline({ ...subscription, allowOneTimePurchase: false }),
      'lines.0.subscription enum',
    ],
    [
      'a gift of a product with gifting disabled',
      inline({ isGiftingDisabled: true }, giftTo('steam', '1')),
      'lines.0.gift_to exclusive',
    ],
    [
      'a gift to a customer of a product with gifting disabled',
      inline({ isGiftingDisabled: true }, { recipient: { case: 'giftToCustomerId', value: '7' } }),
      'lines.0.gift_to_customer_id exclusive',
    ],
  ])('%s', async (_, one, item) => {
    expect(await rejectionsOf({ lines: [one] })).toContain(item)
  })

  it('subscriptions with different intervals, which would renew at different times', async () => {
    const line = (fields: object) => inline({ ...subscription, ...fields }, { subscription: true })
    const lines = [inline(), line({}), line({ price: 1n }), line({ subscriptionIntervalValue: 2 })]
    const items = await rejectionsOf({ lines: [...lines, line({ subscriptionIntervalScale: 4 })] })
    expect(items).toEqual(['lines.3.subscription exclusive', 'lines.4.subscription exclusive'])
  })

  it('an order whose session would be too large, before its coupon is reserved', async () => {
    const buyer = newBuyer(checkouts)
    const couponId = checkouts.others.coupons.add()
    const answers = { customVariables: { long: '🦀'.repeat(1500) } }
    const customVariableIds = [customVariables.add('long')]
    const lines = (count: number) => Array.from({ length: count }, () => inline({ customVariableIds }, answers))
    expect(await rejectionsOf({ lines: lines(90), couponId }, buyer)).toEqual(['lines max'])
    expect(checkouts.others.coupons.reservationsOf(couponId)).toMatchObject({ reserved: 0 })
    await createTestSession(checkouts, buyer, { lines: lines(80), couponId })
    expect(checkouts.others.coupons.reservationsOf(couponId)).toMatchObject({ reserved: 1 })
  })

  it('an order whose total exceeds the largest safe JSON number', async () => {
    const most = inline({ price: 1_000_000_000_000n }, { quantity: 1000 })
    const lines = Array.from({ length: 9 }, () => most)
    const session = await createTestSession(checkouts, newBuyer(checkouts), { lines })
    expect(session.totalAmount).toBe(9_000_000_000_000_000n)
    expect(await rejectionsOf({ lines: [...lines, most] })).toEqual(['lines max'])
  })

  it('invalid accounts with the violation that customers returns, once per line', async () => {
    customers.accountViolation = violation('platform', 'enum', 'must be one of steam')
    const gift = inline({}, giftTo('psn', 'x'))
    const items = await rejectionsOf({ lines: [inline(), gift, gift] })
    customers.accountViolation = undefined
    expect(items).toEqual(['lines.1.gift_to.platform enum', 'lines.2.gift_to.platform enum'])
  })

  it('invalid answers with the violations that custom variables returns', async () => {
    const buyer = newBuyer(checkouts)
    customVariables.violations = [violation('lines.0.custom_variables.kit', 'enum', 'must be the value of an option')]
    const items = await rejectionsOf({ lines: [inline({}, { customVariables: { kit: 'x' } })] }, buyer)
    customVariables.violations = []
    expect(items).toEqual(['lines.0.custom_variables.kit enum'])
  })
})

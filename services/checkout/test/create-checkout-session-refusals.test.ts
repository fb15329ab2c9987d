import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { violation } from '@storekeep/common/errors'
import { countEvents, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, type Line, newBuyer, ofProduct, type Request, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { customers, customVariables } = checkouts.others

type Buyer = ReturnType<typeof newBuyer>

async function refusalOf(request: Request, { options, customerId }: Buyer = newBuyer(checkouts)) {
  const items = await violationsOf(
    checkouts.client.createCheckoutSession({ customerId, lines: [inline()], ...request }, options),
  )
  expect(await countEvents(checkouts, options.storeId)).toBe(0)
  return items
}

const line = (members: Omit<Line, 'item'>) => ({ lines: [inline({}, members)] })
const giftTo = (platform: string, id: string) => ({
  recipient: { case: 'giftTo' as const, value: { platform, id } },
})
const subscription = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const

describe('CreateCheckoutSession refuses', () => {
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
    ['a trial of nothing', line({ trial: true }), ['lines.0.trial exclusive']],
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
    ['a gift to nobody', line(giftTo('', '')), ['lines.0.gift_to.id length', 'lines.0.gift_to.platform length']],
    ['a malformed game server', line({ selectedGameserverId: 'x' }), ['lines.0.selected_gameserver_id format']],
    [
      'metadata beyond its limits',
      { metadata: { a: 'x'.repeat(501) }, ...line({ metadata: { ['k'.repeat(65)]: '' } }) },
      [`lines.0.metadata.${'k'.repeat(65)} length`, 'metadata.a length'],
    ],
    [
      'shares of more than the whole',
      line({
        payoutSplits: [
          { payoutId: 'a', percentage: 6000n },
          { payoutId: 'b', percentage: 4001n },
        ],
      }),
      ['lines.0.payout_splits.1.percentage max'],
    ],
    [
      'two shares of what remains',
      line({ payoutSplits: [{ payoutId: 'a' }, { payoutId: 'b' }] }),
      ['lines.0.payout_splits.0.percentage required'],
    ],
    [
      'a share below nothing, of nobody',
      line({ payoutSplits: [{ payoutId: '', percentage: -1n }] }),
      ['lines.0.payout_splits.0.payout_id length', 'lines.0.payout_splits.0.percentage min'],
    ],
    [
      'a platform fee outside of 0 to 10,000 basis points',
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
    ['an address that is none', { returnUrl: 'javascript:alert(1)' }, ['return_url format']],
    ['an address with credentials', { cancelUrl: 'https://a:b@shop.example/' }, ['cancel_url format']],
    ['a redirect to nowhere', { autoRedirect: true }, ['return_url required']],
    [
      'an e-mail address that is none',
      { customerDetails: { billingEmail: 'robin' } },
      ['customer_details.billing_email format'],
    ],
    [
      'an e-mail address that no ban could name, being too long once it is folded',
      { customerDetails: { billingEmail: `${'İ'.repeat(120)}${'a'.repeat(120)}@example.org` } },
      ['customer_details.billing_email format'],
    ],
    [
      'an address beyond its limits',
      { customerDetails: { billingAddress: { postalCode: 'x'.repeat(257), line1: 'a\0b' } } },
      ['customer_details.billing_address.line_1 pattern', 'customer_details.billing_address.postal_code length'],
    ],
    ['a malformed IP address', { customerIp: '1.2.3' }, ['customer_ip format']],
  ])('%s', async (_, request, items) => {
    expect((await refusalOf(request)).sort()).toEqual(items)
  })

  it('everything that is wrong with an order at once', async () => {
    const request = { lines: [inline({}, { quantity: 0 }), inline({ name: '' })], returnUrl: 'x', couponId: 'y' }
    expect(await refusalOf(request)).toEqual([
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
    expect(await refusalOf({}, foreign)).toEqual(['customer_id reference'])
    const recipient = { case: 'giftToCustomerId' as const, value: other.customerId }
    const request = { lines: [inline(), ofProduct(productId), inline({}, { recipient }), ofProduct(randomId())] }
    expect(await refusalOf(request, buyer)).toEqual([
      'lines.1.product_id reference',
      'lines.3.product_id reference',
      'lines.2.gift_to_customer_id reference',
    ])
  })

  it('products outside of their time of sale', async () => {
    const buyer = newBuyer(checkouts)
    const at = (milliseconds: number) => timestampFromDate(new Date(checkouts.clock.now().getTime() + milliseconds))
    const [early, late] = await Promise.all([
      checkouts.addProduct(buyer.options, { enabledAt: at(60_000) }),
      checkouts.addProduct(buyer.options, { enabledUntil: at(0) }),
    ])
    const request = { lines: [ofProduct(early), ofProduct(late), inline({ enabledUntil: at(-1) })] }
    // Adding products is an event too.
    expect(
      await violationsOf(
        checkouts.client.createCheckoutSession({ customerId: buyer.customerId, ...request }, buyer.options),
      ),
    ).toEqual(['lines.0.product_id reference', 'lines.1.product_id reference', 'lines.2.inline_product reference'])
  })

  it.each<[string, Line, string]>([
    ['subscriptions of what has none', inline({}, { subscription: true }), 'lines.0.subscription enum'],
    [
      'single purchases of subscriptions',
      inline({ ...subscription, allowOneTimePurchase: false }),
      'lines.0.subscription enum',
    ],
    [
      'gifts of what cannot be given',
      inline({ isGiftingDisabled: true }, giftTo('steam', '1')),
      'lines.0.gift_to exclusive',
    ],
    [
      'gifts to customers of what cannot be given',
      inline({ isGiftingDisabled: true }, { recipient: { case: 'giftToCustomerId', value: '7' } }),
      'lines.0.gift_to_customer_id exclusive',
    ],
  ])('%s', async (_, one, item) => {
    expect(await refusalOf({ lines: [one] })).toContain(item)
  })

  it('orders whose session is too long to keep, before a slot of their coupon is taken', async () => {
    const buyer = newBuyer(checkouts)
    const couponId = checkouts.others.coupons.add()
    const answers = { customVariables: { long: '🦀'.repeat(1500) } }
    const customVariableIds = [customVariables.add('long')]
    const lines = (count: number) => Array.from({ length: count }, () => inline({ customVariableIds }, answers))
    expect(await refusalOf({ lines: lines(90), couponId }, buyer)).toEqual(['lines max'])
    expect(checkouts.others.coupons.reservationsOf(couponId)).toMatchObject({ reserved: 0 })
    await createTestSession(checkouts, buyer, { lines: lines(80), couponId })
    expect(checkouts.others.coupons.reservationsOf(couponId)).toMatchObject({ reserved: 1 })
  })

  it('orders that cost more than a JSON number holds', async () => {
    const most = inline({ price: 1_000_000_000_000n }, { quantity: 1000 })
    const lines = Array.from({ length: 9 }, () => most)
    const session = await createTestSession(checkouts, newBuyer(checkouts), { lines })
    expect(session.totalAmount).toBe(9_000_000_000_000_000n)
    expect(await refusalOf({ lines: [...lines, most] })).toEqual(['lines max'])
  })

  it('accounts that cannot be, by what their owner says of them, in each line that names one', async () => {
    customers.wrongAccount = violation('platform', 'enum', 'must be one of steam')
    const gift = inline({}, giftTo('psn', 'x'))
    const items = await refusalOf({ lines: [inline(), gift, gift] })
    customers.wrongAccount = undefined
    expect(items).toEqual(['lines.1.gift_to.platform enum', 'lines.2.gift_to.platform enum'])
  })

  it('wrong answers, by what their owner says of them', async () => {
    const buyer = newBuyer(checkouts)
    customVariables.wrong = [violation('lines.0.custom_variables.kit', 'enum', 'must be the value of an option')]
    const items = await refusalOf({ lines: [inline({}, { customVariables: { kit: 'x' } })] }, buyer)
    customVariables.wrong = []
    expect(items).toEqual(['lines.0.custom_variables.kit enum'])
  })
})

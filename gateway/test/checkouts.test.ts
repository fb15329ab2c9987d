import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors, ServiceFault } from '@storekeep/common/errors'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const [customer, product, other] = [newId(), newId(), newId()]
const line = { quantity: 1, product_id: product }
const inline = { name: 'Something', price: 500 }
const body = { lines: [line], customer_id: customer }

/** The request that the service received. */
function received(): Record<string, unknown> {
  return { ...gateway.services.calls.at(-1)?.request }
}

function send(json: unknown, headers: Record<string, string> = {}) {
  return gateway.newStore().send('POST', '/checkouts', { json, headers })
}

describe('POST /checkouts', () => {
  it('passes every field to the service and returns the token and URL, uncacheable', async () => {
    const response = await send(
      {
        lines: [
          {
            quantity: 2,
            product_id: product,
            subscription: false,
            trial: false,
            gift_to: { platform: 'steam', id: '76561197960287930' },
            selected_gameserver_id: other,
            custom_variables: { color: 'red', size: 42 },
            metadata: { note: 'x' },
            payout_splits: [{ payout_id: 'a', percentage: 2500, platform_fee: 250 }, { payout_id: 'b' }],
          },
          { quantity: 1000, inline_product: inline, subscription: true, gift_to_customer_id: null },
          { quantity: 1, product_id: product, gift_to_customer_id: other },
        ],
        customer_id: customer,
        coupon_id: other,
        promo_codes: ['SUMMER', 'ann'],
        affiliate_code: 'bob',
        return_url: 'https://shop.example.com/thanks',
        cancel_url: 'https://shop.example.com/cart',
        auto_redirect: true,
        metadata: { order: '7' },
        customer_details: {
          billing_name: 'Robin',
          billing_email: ' Robin@example.com ',
          billing_tax_id: 'DE123',
          billing_address: {
            country: 'DE',
            state: 'BE',
            city: 'Berlin',
            postal_code: '10115',
            line_1: 'Street 1',
            line_2: 'Back',
          },
        },
      },
      { 'x-service-customer-ip': '192.0.2.1' },
    )
    expect(response.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://checkout.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(received()).toMatchObject({
      customerId: customer,
      lines: [
        {
          quantity: 2,
          item: { case: 'productId', value: product },
          subscription: false,
          trial: false,
          recipient: { case: 'giftTo', value: { platform: 'steam', id: '76561197960287930' } },
          selectedGameserverId: other,
          customVariables: { color: 'red', size: '42' },
          metadata: { note: 'x' },
          payoutSplits: [{ payoutId: 'a', percentage: 2500n, platformFee: 250n }, { payoutId: 'b' }],
        },
        {
          quantity: 1000,
          item: { case: 'inlineProduct', value: { name: 'Something', price: 500n, allowOneTimePurchase: true } },
          subscription: true,
          recipient: { case: undefined },
        },
        { recipient: { case: 'giftToCustomerId', value: other } },
      ],
      couponId: other,
      promoCodes: ['SUMMER', 'ann'],
      affiliateCode: 'bob',
      returnUrl: 'https://shop.example.com/thanks',
      cancelUrl: 'https://shop.example.com/cart',
      autoRedirect: true,
      metadata: { order: '7' },
      customerDetails: {
        billingName: 'Robin',
        billingEmail: 'Robin@example.com',
        billingTaxId: 'DE123',
        billingAddress: {
          country: 'DE',
          state: 'BE',
          city: 'Berlin',
          postalCode: '10115',
          line1: 'Street 1',
          line2: 'Back',
        },
      },
      customerIp: '192.0.2.1',
    })
  })

  it('requires a line and a customer, and accepts null for the other fields', async () => {
    const nothing = {
      coupon_id: null,
      promo_codes: null,
      affiliate_code: null,
      return_url: null,
      cancel_url: null,
      auto_redirect: null,
      metadata: null,
      customer_details: null,
    }
    const noMore = {
      inline_product: null,
      subscription: null,
      trial: null,
      gift_to: null,
      gift_to_customer_id: null,
      selected_gameserver_id: null,
      custom_variables: null,
      metadata: null,
      payout_splits: null,
    }
    for (const json of [body, { ...body, ...nothing, lines: [{ ...line, ...noMore }] }]) {
      expect((await send(json)).status).toBe(200)
      const request = received()
      for (const name of ['couponId', 'affiliateCode', 'returnUrl', 'autoRedirect', 'customerDetails', 'customerIp']) {
        expect(Object.hasOwn(request, name), name).toBe(false)
      }
      expect(request).toMatchObject({ promoCodes: [], metadata: {} })
      expect(request.lines).toMatchObject([
        { item: { case: 'productId' }, recipient: { case: undefined }, customVariables: {}, payoutSplits: [] },
      ])
    }
  })

  it.each([
    'service',
    'service_name',
    'steam',
    'minecraft',
    'minecraft_uuid',
    'minecraft_java_name',
    'minecraft_bedrock_name',
    'xbox_xuid',
  ])('accepts the gift platform %s', async (platform) => {
    const response = await send({ ...body, lines: [{ ...line, gift_to: { platform, id: '7' } }] })
    expect(response.status).toBe(200)
    expect(received().lines).toMatchObject([{ recipient: { case: 'giftTo', value: { platform, id: '7' } } }])
  })

  it.each([
    ['paynow', 'service'],
    ['paynow_name', 'service_name'],
  ])('takes the gift platform %s for %s', async (alias, platform) => {
    const response = await send({ ...body, lines: [{ ...line, gift_to: { platform: alias, id: '7' } }] })
    expect(response.status).toBe(200)
    expect(received().lines).toMatchObject([{ recipient: { case: 'giftTo', value: { platform, id: '7' } } }])
  })

  it.each<[string, object, object]>([
    ['neither product', { quantity: 1 }, { item: { case: undefined } }],
    [
      'a subscription as a gift',
      { ...line, subscription: true, gift_to_customer_id: other },
      { subscription: true, recipient: { value: other } },
    ],
    [
      'a remainder before the last split',
      { ...line, payout_splits: [{ payout_id: 'a' }, { payout_id: 'b' }] },
      { payoutSplits: [{ payoutId: 'a' }, { payoutId: 'b' }] },
    ],
  ])('leaves the rule about %s to the checkout service', async (_, json, message) => {
    expect((await send({ ...body, lines: [json] })).status).toBe(200)
    expect(received().lines).toMatchObject([message])
  })

  it.each<[string, object, string[]]>([
    ['an empty body', {}, ['customer_id required', 'lines required']],
    ['no lines', { ...body, lines: [] }, ['lines length']],
    ['101 lines', { ...body, lines: Array(101).fill(line) }, ['lines length']],
    ['lines that are not an array', { ...body, lines: line }, ['lines type']],
    ['a malformed customer id', { ...body, customer_id: 'robin' }, ['customer_id format']],
    ['a null customer id', { ...body, customer_id: null }, ['customer_id type']],
    ['a malformed coupon id', { ...body, coupon_id: 'SUMMER' }, ['coupon_id format']],
    ['a promo code that is not a string', { ...body, promo_codes: ['A', 5] }, ['promo_codes.1 type']],
    ['an empty promo code', { ...body, promo_codes: [''] }, ['promo_codes.0 length']],
    ['11 promo codes', { ...body, promo_codes: Array(11).fill('A') }, ['promo_codes length']],
    ['an affiliate code that is not a string', { ...body, affiliate_code: 5 }, ['affiliate_code type']],
    ['a relative return_url', { ...body, return_url: '/thanks' }, ['return_url format']],
    ['a javascript: cancel_url', { ...body, cancel_url: 'javascript:alert(1)' }, ['cancel_url format']],
    ['credentials in the cancel_url', { ...body, cancel_url: 'https://a:b@example.com' }, ['cancel_url format']],
    ['metadata with a number', { ...body, metadata: { a: 1 } }, ['metadata.a type']],
    [
      'a malformed email address',
      { ...body, customer_details: { billing_email: 'robin' } },
      ['customer_details.billing_email format'],
    ],
    [
      'an email address that is too long for a ban once folded',
      { ...body, customer_details: { billing_email: `${'İ'.repeat(120)}${'a'.repeat(120)}@example.org` } },
      ['customer_details.billing_email format'],
    ],
    [
      'a country name instead of a code',
      { ...body, customer_details: { billing_address: { country: 'Germany' } } },
      ['customer_details.billing_address.country pattern'],
    ],
  ])('rejects %s', async (_, json, items) => {
    expect(itemsOf(await send(json)).sort()).toEqual(items)
  })

  it.each<[string, unknown, string[]]>([
    ['no quantity', { product_id: product }, ['quantity required']],
    ['a quantity of 0', { ...line, quantity: 0 }, ['quantity min']],
    ['a quantity of 1,001', { ...line, quantity: 1001 }, ['quantity max']],
    ['a fractional quantity', { ...line, quantity: 1.5 }, ['quantity type']],
    ['a quantity as a string', { ...line, quantity: '1' }, ['quantity type']],
    ['a malformed product id', { ...line, product_id: 'vip' }, ['product_id format']],
    ['both a product and an inline product', { ...line, inline_product: inline }, ['inline_product exclusive']],
    [
      'an inline product without a price',
      { quantity: 1, inline_product: { name: 'x' } },
      ['inline_product.price required'],
    ],
    [
      'an inline product with invalid fields',
      { quantity: 1, inline_product: { ...inline, slug: '-', tags: ['x'] } },
      ['inline_product.slug pattern', 'inline_product.tags.0 format'],
    ],
    ['a subscription flag as a string', { ...line, subscription: 'yes' }, ['subscription type']],
    ['an empty recipient', { ...line, gift_to: {} }, ['gift_to.id required', 'gift_to.platform required']],
    ['an unknown gift platform', { ...line, gift_to: { platform: 'discord', id: 'x' } }, ['gift_to.platform enum']],
    [
      'two recipients',
      { ...line, gift_to: { platform: 'steam', id: '1' }, gift_to_customer_id: other },
      ['gift_to_customer_id exclusive'],
    ],
    ['a malformed game server id', { ...line, selected_gameserver_id: 'eu1' }, ['selected_gameserver_id format']],
    ['an array of answers', { ...line, custom_variables: ['red'] }, ['custom_variables type']],
    ['an answer that is an array', { ...line, custom_variables: { color: ['red'] } }, ['custom_variables.color type']],
    [
      'an answer of 1,025 characters',
      { ...line, custom_variables: { color: 'x'.repeat(1025) } },
      ['custom_variables.color length'],
    ],
    [
      '51 answers',
      { ...line, custom_variables: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`v${n}`, 'x'])) },
      ['custom_variables max'],
    ],
    ['metadata with a number', { ...line, metadata: { a: 1 } }, ['metadata.a type']],
    [
      'splits without an account, or with an invalid share',
      { ...line, payout_splits: [{ percentage: 10_001 }, { payout_id: 'a', percentage: -1 }] },
      ['payout_splits.0.payout_id required', 'payout_splits.0.percentage max', 'payout_splits.1.percentage min'],
    ],
    ['a string instead of an object', 'vip', ['']],
  ])('rejects a line with %s', async (_, wrong, items) => {
    const response = await send({ ...body, lines: [line, wrong] })
    const expected = items.map((item) => (item === '' ? 'lines.1 type' : `lines.1.${item}`))
    expect(itemsOf(response).sort()).toEqual(expected.sort())
  })

  it('names every malformed field, in all lines and around them', async () => {
    const broken = {
      quantity: 0,
      product_id: product,
      inline_product: { name: '', price: -1, slug: '-' },
      subscription: true,
      trial: 'no',
      gift_to: { platform: 'x', id: '' },
      gift_to_customer_id: 'x',
      metadata: [],
    }
    const response = await send({ lines: [broken, line, broken], customer_id: 5, auto_redirect: true, coupon_id: '0' })
    const ofLine = [
      'quantity min',
      'inline_product.name length',
      'inline_product.price min',
      'inline_product.slug pattern',
      'inline_product exclusive',
      'trial type',
      'gift_to.platform enum',
      'gift_to.id length',
      'gift_to_customer_id format',
      'gift_to_customer_id exclusive',
      'metadata type',
    ]
    expect(itemsOf(response).sort()).toEqual(
      [
        ...[0, 2].flatMap((index) => ofLine.map((item) => `lines.${index}.${item}`)),
        'customer_id type',
        'coupon_id format',
      ].sort(),
    )
  })

  it.each(['nowhere', '192.0.2.256', 'fe80::1%eth0', '192.0.2.1, 192.0.2.2'])(
    'rejects the customer address %s',
    async (address) => {
      const response = await send(body, { 'x-service-customer-ip': address })
      expect(itemsOf(response)).toEqual(['x-service-customer-ip format'])
    },
  )

  it('returns the violations of the service, and customer-banned', async () => {
    const violations = [
      { path: 'promo_codes.0', validation: 'reference', code: 'coupon-expired', message: 'has expired' } as const,
    ]
    gateway.services.overrides.createCheckoutSession = () => Promise.reject(errors.validationFailed(violations))
    expect((await send(body)).body).toMatchObject({ status: 400, errors: violations })
    const banned = new ServiceFault('customer-banned', 'The customer is banned from this store.')
    gateway.services.overrides.createCheckoutSession = () => Promise.reject(banned)
    expect((await send(body)).body).toMatchObject({ status: 403, code: 'customer-banned', errors: null })
  })
})

describe('GET /checkouts', () => {
  it('passes filters and page to the service', async () => {
    await gateway.newStore().send('GET', `/checkouts?status=completed&customer_id=${customer}&limit=3`)
    expect(received()).toMatchObject({
      status: CheckoutSessionStatus.COMPLETED,
      customerId: customer,
      page: { limit: 3, asc: false },
    })
    await gateway.newStore().send('GET', '/checkouts')
    for (const name of ['status', 'customerId']) expect(Object.hasOwn(received(), name)).toBe(false)
  })

  it.each([
    ['status=paid', 'status enum'],
    ['customer_id=x', 'customer_id format'],
    ['coupon_id=5', 'coupon_id enum'],
  ])('rejects %s', async (query, item) => {
    expect(itemsOf(await gateway.newStore().send('GET', `/checkouts?${query}`))).toEqual([item])
  })
})

describe('a checkout session', () => {
  it('is returned with every field, null for absent values, and never its token', async () => {
    const store = gateway.newStore()
    const expected = {
      id: '5',
      store_id: store.id,
      customer_id: '411486491630370816',
      status: 'open',
      currency: 'eur',
      lines: [
        {
          product_id: null,
          name: 'VIP rank',
          quantity: 2,
          unit_price: 999,
          options_amount: 0,
          discount_amount: 0,
          total_amount: 1998,
          subscription: false,
          gift_to_customer_id: null,
          selected_gameserver_id: null,
          payout_splits: [],
          custom_variables: {},
          metadata: {},
        },
      ],
      coupon_id: null,
      affiliate_link_id: null,
      subtotal_amount: 1998,
      coupon_discount_amount: 0,
      affiliate_discount_amount: 0,
      discount_amount: 0,
      total_amount: 1998,
      subscription: null,
      return_url: null,
      cancel_url: null,
      metadata: {},
      expires_at: '2026-11-21T14:35:17.042Z',
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      completed_at: null,
      canceled_at: null,
    }
    expect((await store.send('GET', '/checkouts/5')).body).toEqual(expected)
    expect((await store.send('GET', '/checkouts')).body).toEqual([{ ...expected, id: expect.any(String) }])
  })

  it('is returned with every value that it has', async () => {
    const time = timestampFromDate(new Date('2026-11-20T15:00:00.000Z'))
    gateway.services.overrides.getCheckoutSession = async () => ({
      session: {
        id: '5',
        storeId: '4',
        customerId: customer,
        status: CheckoutSessionStatus.CANCELED,
        lines: [
          {
            productId: product,
            quantity: 1,
            optionsAmount: -5n,
            unitPrice: 9_007_199_254_740_991n,
            discountAmount: 7n,
            subscription: true,
            giftToCustomerId: other,
            selectedGameserverId: other,
            payoutSplits: [{ payoutId: 'a', percentage: 2500n, platformFee: 250n }, { payoutId: 'b' }],
            customVariables: { color: 'red' },
            metadata: { a: 'b' },
          },
        ],
        couponId: '6',
        affiliateLinkId: '7',
        couponDiscountAmount: 7n,
        affiliateDiscountAmount: 8n,
        discountAmount: 15n,
        returnUrl: 'https://a.example.com',
        cancelUrl: 'https://b.example.com',
        metadata: { order: '7' },
        expiresAt: time,
        createdAt: time,
        completedAt: time,
        canceledAt: time,
      },
    })
    expect((await gateway.newStore().send('GET', '/checkouts/5')).body).toMatchObject({
      status: 'canceled',
      lines: [
        {
          product_id: product,
          options_amount: -5,
          unit_price: 9_007_199_254_740_991,
          discount_amount: 7,
          subscription: true,
          gift_to_customer_id: other,
          selected_gameserver_id: other,
          payout_splits: [
            { payout_id: 'a', percentage: 2500, platform_fee: 250 },
            { payout_id: 'b', percentage: null, platform_fee: null },
          ],
          custom_variables: { color: 'red' },
          metadata: { a: 'b' },
        },
      ],
      coupon_id: '6',
      affiliate_link_id: '7',
      coupon_discount_amount: 7,
      affiliate_discount_amount: 8,
      discount_amount: 15,
      return_url: 'https://a.example.com',
      cancel_url: 'https://b.example.com',
      metadata: { order: '7' },
      completed_at: '2026-11-20T15:00:00.000Z',
      canceled_at: '2026-11-20T15:00:00.000Z',
    })
  })
})

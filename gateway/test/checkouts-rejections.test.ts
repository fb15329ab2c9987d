import { errors, ServiceFault } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { body, inline, line, other, product, sendOrder } from './checkout-orders.ts'
import { itemsOf, useGateway } from './harness.ts'

const gateway = useGateway()

describe('POST /checkouts', () => {
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
    expect(itemsOf(await sendOrder(gateway, json)).sort()).toEqual(items)
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
    const response = await sendOrder(gateway, { ...body, lines: [line, wrong] })
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
    const response = await sendOrder(gateway, {
      lines: [broken, line, broken],
      customer_id: 5,
      auto_redirect: true,
      coupon_id: '0',
    })
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
      const response = await sendOrder(gateway, body, { 'x-service-customer-ip': address })
      expect(itemsOf(response)).toEqual(['x-service-customer-ip format'])
    },
  )

  it('returns the violations of the service, and customer-banned', async () => {
    const violations = [
      { path: 'promo_codes.0', validation: 'reference', code: 'coupon-expired', message: 'has expired' } as const,
    ]
    gateway.services.overrides.createCheckoutSession = () => Promise.reject(errors.validationFailed(violations))
    expect((await sendOrder(gateway, body)).body).toMatchObject({ status: 400, errors: violations })
    const banned = new ServiceFault('customer-banned', 'The customer is banned from this store.')
    gateway.services.overrides.createCheckoutSession = () => Promise.reject(banned)
    expect((await sendOrder(gateway, body)).body).toMatchObject({ status: 403, code: 'customer-banned', errors: null })
  })
})

describe('GET /checkouts', () => {
  it.each([
    ['status=paid', 'status enum'],
    ['customer_id=x', 'customer_id format'],
    ['coupon_id=5', 'coupon_id enum'],
  ])('rejects %s', async (query, item) => {
    expect(itemsOf(await gateway.newStore().send('GET', `/checkouts?${query}`))).toEqual([item])
  })
})

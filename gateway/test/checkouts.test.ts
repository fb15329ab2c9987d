import { describe, expect, it } from 'vitest'
import { body, customer, inline, line, other, product, sendOrder } from './checkout-orders.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()

describe('POST /checkouts', () => {
  it('passes every field to the service and returns the token and URL, uncacheable', async () => {
    const response = await sendOrder(
      gateway,
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
        editable: true,
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
    expect(gateway.received()).toMatchObject({
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
      editable: true,
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
      editable: null,
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
      expect((await sendOrder(gateway, json)).status).toBe(200)
      const request = gateway.received()
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
    const response = await sendOrder(gateway, { ...body, lines: [{ ...line, gift_to: { platform, id: '7' } }] })
    expect(response.status).toBe(200)
    expect(gateway.received().lines).toMatchObject([{ recipient: { case: 'giftTo', value: { platform, id: '7' } } }])
  })

  it.each([
    ['paynow', 'service'],
    ['paynow_name', 'service_name'],
  ])('takes the gift platform %s for %s', async (alias, platform) => {
    const response = await sendOrder(gateway, { ...body, lines: [{ ...line, gift_to: { platform: alias, id: '7' } }] })
    expect(response.status).toBe(200)
    expect(gateway.received().lines).toMatchObject([{ recipient: { case: 'giftTo', value: { platform, id: '7' } } }])
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
    expect((await sendOrder(gateway, { ...body, lines: [json] })).status).toBe(200)
    expect(gateway.received().lines).toMatchObject([message])
  })
})

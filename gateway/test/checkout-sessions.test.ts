import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { customer, other, product } from './checkout-orders.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()

const noLineTax = { net_amount: null, tax_amount: null, gross_amount: null, tax_rate: null, tax_name: null }
const noTax = {
  ...{ net_amount: null, tax_amount: null, tax_country: null, tax_rate: null, tax_name: null },
  ...{ tax_included: null, reverse_charge: null, tax_evidence: null },
}

describe('GET /checkouts', () => {
  it('passes filters and page to the service', async () => {
    await gateway.newStore().send('GET', `/checkouts?status=completed&customer_id=${customer}&limit=3`)
    expect(gateway.received()).toMatchObject({
      status: CheckoutSessionStatus.COMPLETED,
      customerId: customer,
      page: { limit: 3, asc: false },
    })
    await gateway.newStore().send('GET', '/checkouts')
    for (const name of ['status', 'customerId']) expect(Object.hasOwn(gateway.received(), name)).toBe(false)
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
          ...noLineTax,
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
      ...noTax,
      subscription: null,
      return_url: null,
      cancel_url: null,
      editable: false,
      metadata: {},
      expires_at: '2026-11-21T14:35:17.042Z',
      created_by: { type: 'api_key', id: store.keyId },
      created_at: '2026-11-20T14:35:17.042Z',
      completed_at: null,
      canceled_at: null,
      order_id: null,
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
        editable: true,
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
      editable: true,
      metadata: { order: '7' },
      completed_at: '2026-11-20T15:00:00.000Z',
      canceled_at: '2026-11-20T15:00:00.000Z',
    })
  })
})

import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
const [product, friend, server] = [newId(), newId(), newId()]

async function send(method: string, path: string, json?: object, headers: Record<string, string> = {}) {
  const store = gateway.newStore()
  const { authorization, customerId } = store.signIn()
  const all = { authorization, 'x-service-store-id': store.id, ...headers }
  const response = await gateway.request(method, `/v1/store/cart${path}`, { headers: all, ...(json && { json }) })
  return { ...response, customerId, storeId: store.id }
}

describe('PUT /v1/store/cart/lines', () => {
  it('passes every field of the lines to the service', async () => {
    const lines = [
      {
        product_id: product,
        quantity: 2,
        gift_to: { platform: 'paynow_name', id: 'Robin' },
        selected_gameserver_id: server,
        custom_variables: { color: 'red', size: 42 },
      },
      { product_id: product, quantity: 1, gift_to_customer_id: friend },
      { product_id: product, quantity: 1, subscription: true },
    ]
    const { status, customerId } = await send('PUT', '/lines', { lines })
    expect(status).toBe(200)
    expect(gateway.received()).toMatchObject({
      customerId,
      lines: [
        {
          productId: product,
          quantity: 2,
          recipient: { case: 'giftTo', value: { platform: 'service_name', id: 'Robin' } },
          selectedGameserverId: server,
          customVariables: { color: 'red', size: '42' },
        },
        { recipient: { case: 'giftToCustomerId', value: friend } },
        { subscription: true, recipient: { case: undefined } },
      ],
    })
  })

  it.each<[object, string[]]>([
    [{}, ['lines required']],
    [{ lines: Array(101).fill({ product_id: product, quantity: 1 }) }, ['lines length']],
    [{ lines: [{ quantity: 1 }] }, ['lines.0.product_id required']],
    [{ lines: [{ product_id: product, quantity: 1001 }] }, ['lines.0.quantity max']],
    [
      {
        lines: [
          { product_id: product, quantity: 1, gift_to: { platform: 'steam', id: '1' }, gift_to_customer_id: friend },
        ],
      },
      ['lines.0.gift_to_customer_id exclusive'],
    ],
  ])('rejects %j', async (json, items) => {
    expect(itemsOf(await send('PUT', '/lines', json))).toEqual(items)
  })

  it('takes no Idempotency-Key, since repeating it changes nothing', async () => {
    await send('PUT', '/lines', { lines: [] }, { 'idempotency-key': 'x' })
    expect(gateway.services.calls.at(-1)?.call.idempotency).toBeUndefined()
  })
})

describe('the cart', () => {
  it('is returned with every field, and null for absent values', async () => {
    const input = { productId: product, quantity: 1, recipient: { case: 'giftToCustomerId', value: friend } }
    const account = { case: 'giftTo', value: { platform: 'steam', id: '76561197960287930' } }
    gateway.services.overrides.getCart = async () => ({
      cart: {
        lines: [
          { input, problem: { code: 'product-unavailable', field: 'product_id', message: 'is not on sale' } },
          {
            input: { ...input, recipient: account, selectedGameserverId: server, customVariables: { color: 'red' } },
            name: 'Kit',
            slug: 'kit',
            imageUrl: 'https://shop.example.com/kit.png',
            unitPrice: 1250n,
            totalAmount: 1250n,
          },
        ],
        subtotalAmount: 1250n,
        currency: 'eur',
        updatedAt: timestampFromDate(new Date('2026-11-20T15:00:00Z')),
      },
    })
    const { body, headers } = await send('GET', '')
    expect(headers['cache-control']).toBe('no-store')
    const unknown = { name: null, slug: null, image_url: null, unit_price: null, total_amount: null }
    const line = { product_id: product, quantity: 1, subscription: false, selected_gameserver_id: null }
    expect(body).toEqual({
      lines: [
        {
          ...line,
          ...unknown,
          gift_to: null,
          gift_to_customer_id: friend,
          custom_variables: {},
          problem: { code: 'product-unavailable', field: 'product_id', message: 'is not on sale' },
        },
        {
          ...line,
          gift_to: account.value,
          gift_to_customer_id: null,
          selected_gameserver_id: server,
          custom_variables: { color: 'red' },
          name: 'Kit',
          slug: 'kit',
          image_url: expect.stringMatching(/\/images\/\d+\/[\w-]{22}\/256\.webp$/),
          unit_price: 1250,
          total_amount: 1250,
          problem: null,
        },
      ],
      subtotal_amount: 1250,
      currency: 'eur',
      updated_at: '2026-11-20T15:00:00.000Z',
    })
  })

  it('belongs to a signed-in customer', async () => {
    const { id } = gateway.newStore()
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/lines'],
      ['POST', '/checkout'],
    ]) {
      const response = await gateway.request(method ?? '', `/v1/store/cart${path}`, {
        headers: { 'x-service-store-id': id },
      })
      expect(response.status).toBe(401)
    }
  })
})

describe('POST /v1/store/cart/checkout', () => {
  it('passes the order and what identifies the customer to the service', async () => {
    const json = {
      promo_codes: ['SUMMER'],
      affiliate_code: 'bob',
      return_url: 'https://shop.example.com/thanks',
      cancel_url: 'https://shop.example.com/cart',
      auto_redirect: true,
      customer_details: { billing_email: 'robin@example.com' },
    }
    const given = { 'x-service-customer-ip': '192.0.2.1', 'x-service-customer-countrycode': 'de' }
    const { status, body, customerId } = await send('POST', '/checkout', json, { ...given, 'idempotency-key': 'k' })
    expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(String), token: expect.any(String) } })
    expect(gateway.received()).toMatchObject({
      customerId,
      promoCodes: ['SUMMER'],
      affiliateCode: 'bob',
      returnUrl: 'https://shop.example.com/thanks',
      cancelUrl: 'https://shop.example.com/cart',
      autoRedirect: true,
      customerDetails: { billingEmail: 'robin@example.com' },
      customerIp: '192.0.2.1',
      customerCountry: 'DE',
    })
    expect(gateway.services.calls.at(-1)?.call.idempotency).toMatchObject({ key: 'k' })
  })
})

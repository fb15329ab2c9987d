import { expect } from 'vitest'
import type { CheckoutSessionBody, CustomerBody, NewCheckoutBody, ProductBody, TagBody } from './bodies.ts'
import { couponTerms } from './coupon-terms.ts'
import { fresh } from './fresh.ts'
import type { HttpResponse, RequestInput } from './http-client.ts'
import type { TestStore } from './test-store.ts'

/** Creates what a store sells, and orders it, over the API. Fields that are not given have defaults. */
export function openShop(store: TestStore): Shop {
  async function make<Body>(path: string, json: unknown): Promise<Body> {
    const { status, body, text } = await store.post<Body>(path, json)
    expect(status, text).toBeLessThan(300)
    return body
  }

  function order(input: object, options?: RequestInput): Promise<HttpResponse<NewCheckoutBody>> {
    return store.post('/checkouts', input, options)
  }

  return {
    product: (fields) => make('/products', { name: fresh.name(), price: 1000, ...fields }),
    tag: (fields) => make('/tags', { name: fresh.name(), ...fields }),
    customer: (fields) => make('/customers', { name: fresh.name(), ...fields }),
    coupon: (fields) => make('/coupons', { ...couponTerms, code: fresh.code(), ...fields }),
    affiliateLink: (fields) => make('/affiliate-links', { ...affiliateDefaults, code: fresh.code(), ...fields }),
    variable: (fields) =>
      make('/custom-variables', { identifier: fresh.code(), name: 'Size', type: 'text', ...fields }),
    ban: (ban_type, ban_type_value) => make('/bans', { identities: [{ ban_type, ban_type_value }] }),
    order,
    async session(input) {
      const { status, body, text } = await order(input)
      expect(status, text).toBe(200)
      const read = await store.get<CheckoutSessionBody>(`/checkouts/${body.id}`)
      expect(read.status, read.text).toBe(200)
      return read.body
    },
  }
}

const affiliateDefaults = {
  wallet_id: 'wallet-1',
  enabled: true,
  referer_type: 'last_referer',
  tracking_length_days: 30,
  apply_for_subscriptions: true,
  discount_type: 'percentage',
  discount_amount: 100,
  commission_type: 'none',
  commission_amount: 0,
}

/** Each call creates a record and expects success, except `order`, which returns any response. */
export interface Shop {
  product(fields?: object): Promise<ProductBody>
  tag(fields?: object): Promise<TagBody>
  customer(fields?: object): Promise<CustomerBody>
  coupon(fields?: object): Promise<{ id: string; code: string }>
  affiliateLink(fields?: object): Promise<{ id: string; code: string }>
  variable(fields?: object): Promise<{ id: string; identifier: string }>
  ban(type: string, value: string): Promise<{ id: string }>
  order(input: object, options?: RequestInput): Promise<HttpResponse<NewCheckoutBody>>
  /** Places an order that must succeed, and reads the session. */
  session(input: object): Promise<CheckoutSessionBody>
}

import { errors, violation } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const token = 'a'.repeat(28)
const session = { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur', autoRedirect: true }
let returnUrl: string | undefined
let order: { id: string } | undefined
const checkout = useFakeService(CheckoutService, {
  applyCoupon: async () => {
    throw errors.validationFailed([violation('code', 'reference', 'is not the code of a coupon in this store')])
  },
})
const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: '1', name: 'Isles' } }) })
const orders = useFakeService(PaymentsService, {
  getPaymentState: async () => ({
    session: { ...session, ...(returnUrl !== undefined && { returnUrl }) },
    payment: { id: randomId(), provider: PaymentProvider.TEST },
    ...(order && { order }),
  }),
})

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: orders.address,
  })
})
afterAll(() => pages.stop())

const here = `/?t=${token}`

describe('a form with values that no page offers', () => {
  it.each(['__proto__', 'constructor', 'toString'])('leads back to the checkout for the choice %s', async (choice) => {
    const form = `email=robin%40example.com&method=${choice}&total=100`
    const paid = await pages.send({ path: `/pay?t=${token}`, form })
    expect(paid).toMatchObject({ status: 303, location: `${here}&notice=method` })
    const decided = await pages.send({ path: `/test-payment?t=${token}`, form: `decision=${choice}` })
    expect(decided).toMatchObject({ status: 303, location: here })
  })

  it('repeats a long coupon code without cutting a character in two', async () => {
    const code = `${'a'.repeat(63)}\u{1f600}\u{1f600}`
    const applied = await pages.send({ path: `/coupon?t=${token}`, form: new URLSearchParams({ code }).toString() })
    expect(applied.status).toBe(303)
    const repeated = new URL(applied.location ?? '', 'https://pay.example').searchParams.get('code')
    expect(repeated).toBe(`${'a'.repeat(63)}\u{1f600}`)
  })
})

it('a paid checkout redirects to return URLs with non-ASCII characters', async () => {
  order = { id: randomId() }
  returnUrl = 'https://\u4f8b\u3048.example/\u5b8c\u4e86?name=\u00fc'
  expect(await pages.send({ path: here })).toMatchObject({ status: 303, location: new URL(returnUrl).href })
})

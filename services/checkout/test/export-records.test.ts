import { fromBinary } from '@bufbuild/protobuf'
import { exportAll, operator } from '@storekeep/common/testing'
import { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { ProductSchema } from '@storekeep/proto/checkout/v1/product'
import { describe, expect, it } from 'vitest'
import { createTestSession, inStore, newBuyer, useCheckouts, useProducts } from './harness.ts'
import { createTestProduct, recordOf } from './product-inputs.ts'

describe('checkout sessions', () => {
  const checkouts = useCheckouts()
  it('are exported in the state of their last event', async () => {
    const buyer = newBuyer(checkouts)
    const { id: checkoutId } = await createTestSession(checkouts, buyer, { metadata: { order: '7' } })
    const { session } = await checkouts.client.cancelCheckoutSession(
      { checkoutId },
      {
        ...operator(),
        storeId: buyer.options.storeId,
      },
    )
    const { records } = await exportAll(checkouts.running, 'checkout_session')
    expect(records).toMatchObject([{ id: checkoutId, storeId: buyer.options.storeId, version: session?.version }])
    expect(records.map(({ record }) => fromBinary(CheckoutSessionSchema, record))).toEqual([session])
  })
})

describe('products', () => {
  const products = useProducts()
  it('are exported in the state of their last event', async () => {
    const options = inStore()
    const product = await createTestProduct(products, options)
    const { records } = await exportAll(products.running, 'product')
    expect(records).toMatchObject([{ id: product.id, storeId: options.storeId, version: product.version }])
    expect(records.map(({ record }) => fromBinary(ProductSchema, record))).toEqual([recordOf(product)])
  })
})

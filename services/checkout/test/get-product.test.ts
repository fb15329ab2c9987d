import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct } from './product-inputs.ts'

const products = useProducts()
const get = (productId: string, options = inStore()) => products.client.getProduct({ productId }, options)

describe('GetProduct', () => {
  it('returns not-found for an unknown id', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a product of another store', async () => {
    const { id } = await createTestProduct(products, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['product_id format'])
  })
})

import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct } from './product-inputs.ts'

const products = useProducts()
const get = (productId: string, options = inStore()) => products.client.getProduct({ productId }, options)

describe('GetProduct', () => {
  it('does not find an id that nobody has', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('does not find a product of another store', async () => {
    const { id } = await createTestProduct(products, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['product_id format'])
  })
})

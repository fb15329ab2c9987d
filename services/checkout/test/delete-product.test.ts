import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { inStore, useProducts } from './harness.ts'
import { createTestProduct, everything, recordOf } from './product-inputs.ts'

const products = useProducts()

describe('DeleteProduct', () => {
  it('removes the product and frees its slug', async () => {
    const options = inStore()
    const { id: productId } = await createTestProduct(products, options, { slug: 'vip' })
    await products.client.deleteProduct({ productId }, options)
    expect(await faultOf(products.client.getProduct({ productId }, options))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(products.client.deleteProduct({ productId }, options))).toMatchObject({ code: 'not-found' })
    await createTestProduct(products, options, { slug: 'vip' })
  })

  it('publishes the last state of the product, with the next version and who deleted it', async () => {
    const options = inStore()
    const product = await createTestProduct(products, options, everything)
    await products.client.deleteProduct({ productId: product.id }, options)
    expect(await eventsOf(products, product.id)).toMatchObject([
      { type: 'product.created', version: '1' },
      {
        type: 'product.deleted',
        version: '2',
        message: { product: { ...recordOf(product), version: 2n }, deletedBy: options.actor },
      },
    ])
  })

  it('deletes once for 8 concurrent callers', async () => {
    const options = inStore()
    const { id: productId } = await createTestProduct(products, options)
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => products.client.deleteProduct({ productId }, options)),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-found' })
    expect(await eventsOf(products, productId)).toHaveLength(2)
  })

  it('returns not-found for an unknown product and one of another store', async () => {
    const options = inStore()
    const { id: productId } = await createTestProduct(products, options)
    expect(await faultOf(products.client.deleteProduct({ productId }, inStore()))).toMatchObject({ code: 'not-found' })
    const unknown = products.client.deleteProduct({ productId: randomId() }, options)
    expect(await faultOf(unknown)).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(products.client.deleteProduct({ productId: 'x' }, options))).toEqual([
      'product_id format',
    ])
    expect((await products.client.getProduct({ productId }, options)).product?.id).toBe(productId)
  })
})

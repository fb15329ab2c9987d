import { present } from '@storekeep/common/message'
import { productDto, productDtoSchema, productExample } from '@storekeep/records/products/product-dto'
import { endpoint } from '../../http/endpoint.ts'
import { productPath, stockQuery } from './product-path.ts'

export const getProduct = endpoint({
  operationId: 'getProduct',
  tag: 'Products',
  summary: 'Get a product',
  description: 'Returns one product by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/products/{productId}',
  auth: 'api-key',
  scope: 'products:read',
  params: productPath,
  query: stockQuery,
  success: { status: 200, description: 'The product.', schema: productDtoSchema, example: productExample },
  async handle({ products }, { params, query, call }) {
    const { productId } = params
    const { product } = await products.getProduct(present({ productId, customerId: query.customer_id }), call)
    return { body: productDto(product) }
  },
})

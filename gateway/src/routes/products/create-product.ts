import { productDto, productDtoSchema, productExample } from '@storekeep/records/products/product-dto'
import { endpoint } from '../../http/endpoint.ts'
import { newProduct, newProductExample } from './product-fields.ts'
import { productInput } from './product-input.ts'

export const createProduct = endpoint({
  operationId: 'createProduct',
  tag: 'Products',
  summary: 'Create a product',
  description: 'Creates a product that buyers can buy once, subscribe to, or both.',
  method: 'post',
  path: '/v1/stores/{storeId}/products',
  auth: 'api-key',
  scope: 'products:write',
  body: newProduct,
  bodyExample: newProductExample,
  success: { status: 200, description: 'The created product.', schema: productDtoSchema, example: productExample },
  async handle({ products }, { body, call }) {
    const { product } = await products.createProduct(productInput(body), call)
    return { body: productDto(product) }
  },
})

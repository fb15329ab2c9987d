import { endpoint } from '../../http/endpoint.ts'
import { productDto, productDtoSchema, productExample } from './product-dto.ts'
import { productPatch } from './product-fields.ts'
import { productMask, productTerms } from './product-input.ts'
import { productPath } from './product-path.ts'

export const updateProduct = endpoint({
  operationId: 'Products_UpdateProduct',
  tag: 'Products',
  summary: 'Change a product',
  description:
    'What is absent stays as it is; null clears. `tags`, `custom_variable_ids` and `metadata` are replaced as a whole. ' +
    'Checkout sessions keep the name and the price that they were made with.',
  method: 'patch',
  path: '/v1/stores/{storeId}/products/{productId}',
  auth: 'api-key',
  scope: 'products:write',
  params: productPath,
  body: productPatch,
  bodyExample: { price: 1499, label: 'New' },
  success: {
    status: 200,
    description: 'The product as it is now.',
    schema: productDtoSchema,
    example: {
      ...productExample,
      price: 1499,
      label: 'New',
      updated_by: productExample.created_by,
      updated_at: '2026-11-20T15:02:41.120Z',
    },
  },
  async handle({ products }, { params, body, call }) {
    const update = {
      productId: params.productId,
      product: productTerms(body),
      updateMask: { paths: productMask(body) },
    }
    const { product } = await products.updateProduct(update, call)
    return { body: productDto(product) }
  },
})

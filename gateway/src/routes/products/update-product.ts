import { productDto, productDtoSchema, productExample } from '@storekeep/records/products/product-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { productPatch } from './product-fields.ts'
import { productInput, productMask } from './product-input.ts'
import { productPath } from './product-path.ts'

export const updateProduct = endpoint({
  operationId: 'updateProduct',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'Omitted fields are left unchanged; null clears a nullable field. Lists, stock limits and `metadata` are ' +
    'replaced as a whole. Existing checkout sessions keep the previous terms, and so do items that customers already own.',
  method: 'patch',
  path: '/v1/stores/{storeId}/products/{productId}',
  auth: 'api-key',
  scope: 'products:write',
  params: productPath,
  body: productPatch,
  bodyExample: { price: 1499, label: 'New' },
  success: {
    status: 200,
    description: 'The updated product.',
    schema: productDtoSchema,
    example: {
      ...productExample,
      price: 1499,
      label: 'New',
      ...updateExample,
    },
  },
  async handle({ products }, { params, body, call }) {
    const update = {
      productId: params.productId,
      ...productInput(body),
      updateMask: { paths: productMask(body) },
    }
    const { product } = await products.updateProduct(update, call)
    return { body: productDto(product) }
  },
})

import { endpoint } from '../../http/endpoint.ts'
import { productPath } from './product-path.ts'

export const deleteProduct = endpoint({
  operationId: 'deleteProduct',
  tag: 'Products',
  summary: 'Delete a product',
  description: 'Deletes the product permanently. Checkout sessions keep its name and price.',
  method: 'delete',
  path: '/v1/stores/{storeId}/products/{productId}',
  auth: 'api-key',
  scope: 'products:write',
  params: productPath,
  success: { status: 204, description: 'The product was deleted.' },
  async handle({ products }, { params, call }) {
    await products.deleteProduct({ productId: params.productId }, call)
    return {}
  },
})

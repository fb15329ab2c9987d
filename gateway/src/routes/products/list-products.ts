import { productDto, productDtoSchema, productExample } from '@storekeep/records/products/product-dto'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listProducts = endpoint({
  operationId: 'listProducts',
  tag: 'Products',
  summary: 'List products',
  description: 'Returns products page by page, including hidden products and products not currently on sale.',
  method: 'get',
  path: '/v1/stores/{storeId}/products',
  auth: 'api-key',
  scope: 'products:read',
  query: z.object(pageQuery),
  success: {
    status: 200,
    description: 'One page of products.',
    schema: z.array(productDtoSchema),
    example: [productExample],
  },
  async handle({ products }, { query, call }) {
    const response = await products.listProducts({ page: pageRequest(query) }, call)
    return pageReply(query, response.products.map(productDto), response.page)
  },
})

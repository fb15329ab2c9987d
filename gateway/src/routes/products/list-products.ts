import { present } from '@storekeep/common/message'
import { productDto, productDtoSchema, productExample } from '@storekeep/records/products/product-dto'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { stockQuery } from './product-path.ts'

export const listProducts = endpoint({
  operationId: 'listProducts',
  tag: 'Products',
  summary: 'List products',
  description: 'Returns products page by page, including hidden products and products not currently on sale.',
  method: 'get',
  path: '/v1/stores/{storeId}/products',
  auth: 'api-key',
  scope: 'products:read',
  query: stockQuery.extend(pageQuery),
  success: {
    status: 200,
    description: 'One page of products.',
    schema: z.array(productDtoSchema),
    example: [productExample],
  },
  async handle({ products }, { query, call }) {
    const request = present({ page: pageRequest(query), customerId: query.customer_id })
    const response = await products.listProducts(request, call)
    return pageReply(query, response.products.map(productDto), response.page)
  },
})

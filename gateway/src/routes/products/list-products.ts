import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { productDto, productDtoSchema, productExample } from './product-dto.ts'

export const listProducts = endpoint({
  operationId: 'Products_ListProducts',
  tag: 'Products',
  summary: 'List products',
  description: 'Hidden ones and those that are not sold now too.',
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
    const answer = await products.listProducts({ page: pageRequest(query) }, call)
    return pageReply(query, answer.products.map(productDto), answer.page)
  },
})

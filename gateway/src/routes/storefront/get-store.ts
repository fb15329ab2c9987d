import { storeDto, storeDtoSchema, storeExample } from '@storekeep/records/storefront/store-dto'
import { endpoint } from '../../http/endpoint.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getStore = endpoint({
  operationId: 'getStore',
  tag: 'Storefront',
  summary: 'Get the store',
  description:
    'Returns the public data of the store. A customer token is optional, but an invalid one is rejected. Changes to the ' +
    'store appear within five seconds.',
  method: 'get',
  path: '/v1/store',
  auth: 'customer-optional',
  headers: storefrontHeaders,
  success: {
    status: 200,
    description: 'The store.',
    schema: storeDtoSchema,
    example: storeExample,
  },
  async handle({ storeCache }, { storeId, peerAddress, call }) {
    return { body: storeDto(await storeCache.get(storeId, peerAddress, call)) }
  },
})

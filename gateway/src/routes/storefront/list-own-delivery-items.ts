import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageRequest } from '../../schemas/page.ts'
import { itemQuery } from '../delivery/item-query.ts'
import { ownItemDto, ownItemDtoSchema, ownItemExample } from './own-item-dto.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const listOwnDeliveryItems = endpoint({
  operationId: 'listOwnDeliveryItems',
  tag: 'Storefront',
  summary: 'List the items of the signed-in customer',
  description:
    'Returns what the customer of the token owns or owned, page by page, and for which game servers each item waits. Commands, ' +
    'addresses and the giver of a gift are left out.',
  method: 'get',
  path: '/v1/store/customer/delivery/items',
  auth: 'customer',
  headers: storefrontHeaders,
  query: itemQuery,
  success: {
    status: 200,
    description: 'One page of items.',
    schema: z.array(ownItemDtoSchema),
    example: [ownItemExample],
  },
  async handle({ deliveryItems, gameServers }, { customer, query, call }) {
    const request = { page: pageRequest(query), activeOnly: query.activeOnly, customerId: customer.id }
    const [{ items, page }, servers] = await Promise.all([
      deliveryItems.listDeliveryItems(request, call),
      gameServers.listGameServers({}, call),
    ])
    const names = new Map(servers.gameServers.map(({ id, name }) => [id, name]))
    return pageReply(
      query,
      items.map((item) => ownItemDto(item, names)),
      page,
    )
  },
})

import { deliveryItemDtoSchema, deliveryItemExample } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { gameServerPath } from '../game-servers/game-server-path.ts'
import { itemQuery, listItems } from './item-query.ts'

export const listGameServerDeliveryItems = endpoint({
  operationId: 'listGameServerDeliveryItems',
  tag: 'Delivery',
  summary: 'List the delivery items of a game server',
  description: 'Returns the items that have a command for a game server, page by page, with all of their commands.',
  method: 'get',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}/delivery/items',
  auth: 'api-key',
  scope: 'delivery:read',
  params: gameServerPath,
  query: itemQuery,
  success: {
    status: 200,
    description: 'One page of items.',
    schema: z.array(deliveryItemDtoSchema),
    example: [deliveryItemExample],
  },
  async handle(ctx, { params, query, call }) {
    return await listItems(ctx, query, params, call)
  },
})

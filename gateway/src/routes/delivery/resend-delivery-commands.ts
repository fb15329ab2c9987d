import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { gameServerPath } from '../game-servers/game-server-path.ts'

export const resendDeliveryCommands = endpoint({
  operationId: 'resendDeliveryCommands',
  tag: 'Delivery',
  summary: 'Resend the commands of a game server',
  description:
    'Queues the `on_purchase` and `on_renew` commands of a game server again, for example after it lost its world. Only commands of ' +
    'items that customers still own are sent. If you filter by item, order or subscription, revoked items and commands that never ' +
    'ran are included. Commands that are stuck are always included. All given filters must match. New attempts have `rerun: true`.',
  method: 'post',
  path: '/v1/stores/{storeId}/gameservers/{gameServerId}/delivery/commands/resend',
  auth: 'api-key',
  scope: 'delivery:write',
  params: gameServerPath,
  body: z
    .object({
      starts_at: timeInput
        .nullish()
        .describe('Only commands that were executed, or became stuck, at or after this time.'),
      ends_at: timeInput.nullish().describe('Only commands that were executed, or became stuck, before this time.'),
      inventory_item_id: flakeId.nullish().describe('Only commands of this item.'),
      customer_id: flakeId.nullish().describe('Only commands for this customer.'),
      order_id: flakeId.nullish().describe('Only commands of items that this order paid for.'),
      product_id: flakeId.nullish().describe('Only commands of items of this product.'),
      subscription_id: flakeId.nullish().describe('Only commands of items that this subscription pays for.'),
    })
    .meta({ id: 'ResendCommandsRequestDto', description: 'Filters for the commands to queue again.' }),
  bodyExample: { starts_at: '2026-11-20T00:00:00Z', ends_at: '2026-11-21T00:00:00Z' },
  success: {
    status: 200,
    description: 'How many commands were queued.',
    schema: z
      .object({ enqueued_commands_count: int32(0).describe('Number of commands that were queued again.') })
      .meta({ id: 'ResendCommandsResponseDto', description: 'Result of queuing commands again.' }),
    example: { enqueued_commands_count: 1 },
  },
  async handle({ deliveryItems }, { params, body, call }) {
    const request = present({
      gameServerId: params.gameServerId,
      startsAt: body.starts_at && timestampFromDate(body.starts_at),
      endsAt: body.ends_at && timestampFromDate(body.ends_at),
      itemId: body.inventory_item_id,
      customerId: body.customer_id,
      orderId: body.order_id,
      productId: body.product_id,
      subscriptionId: body.subscription_id,
    })
    const { enqueuedCount } = await deliveryItems.resendCommands(request, call)
    return { body: { enqueued_commands_count: enqueuedCount } }
  },
})

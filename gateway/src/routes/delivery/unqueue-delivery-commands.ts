import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

const { unqueued: maxIds } = deliveryLimits

export const unqueueDeliveryCommands = endpoint({
  operationId: 'unqueueDeliveryCommands',
  tag: 'Delivery',
  summary: 'Unqueue commands',
  description:
    'Removes commands from the queue, so that they never run. The later commands of the same item then continue. Executed, unqueued ' +
    'and unknown commands are ignored.',
  method: 'post',
  path: '/v1/stores/{storeId}/delivery/commands/unqueue',
  auth: 'api-key',
  scope: 'delivery:write',
  body: z
    .object({
      attempt_ids: z
        .array(flakeId)
        .min(1)
        .max(maxIds)
        .describe(`Ids of the command attempts, 1 to ${maxIds.toLocaleString('en')}.`),
    })
    .meta({ id: 'UnqueueCommandsRequestDto', description: 'Commands to remove from the queue.' }),
  bodyExample: { attempt_ids: ['411486491630370950'] },
  success: {
    status: 200,
    description: 'How many commands were removed.',
    schema: z
      .object({ unqueued_count: int32(0).describe('Number of commands that were removed from the queue.') })
      .meta({ id: 'UnqueueCommandsResponseDto', description: 'Result of removing commands from the queue.' }),
    example: { unqueued_count: 1 },
  },
  async handle({ deliveryItems }, { body, call }) {
    const { unqueuedCount } = await deliveryItems.unqueueCommands({ attemptIds: body.attempt_ids }, call)
    return { body: { unqueued_count: unqueuedCount } }
  },
})

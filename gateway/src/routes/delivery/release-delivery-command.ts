import { customVariableLimits, deliveryLimits } from '@storekeep/proto/conventions/limits'
import {
  commandAttemptDto,
  commandAttemptDtoSchema,
  commandAttemptExample,
} from '@storekeep/records/delivery/command-attempt-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { attemptPath } from './delivery-path.ts'

export const releaseDeliveryCommand = endpoint({
  operationId: 'releaseDeliveryCommand',
  tag: 'Delivery',
  summary: 'Release a blocked command',
  description:
    'Gives values for the missing placeholders of a command, which then waits for its game server like any other. Ids must be well ' +
    'formed, names become one word, and answers to custom variables consist of letters, digits and `_.-`. Values with characters that a ' +
    'command cannot contain, such as `;` and `@`, are rejected. The values are used for this ' +
    'command only: add the account to the customer to release all of its commands. Returns `conflict` unless the command is blocked.',
  method: 'post',
  path: '/v1/stores/{storeId}/delivery/commands/{attemptId}/release',
  auth: 'api-key',
  scope: 'delivery:write',
  params: attemptPath,
  body: z
    .object({
      values: z
        .record(z.string(), z.string().max(customVariableLimits.answerLength))
        .refine((values) => Object.keys(values).length <= deliveryLimits.placeholders)
        .describe('One value for each of the `missing_placeholders`, by the name of the placeholder.')
        .meta({ example: { 'customer.steam.id': '76561198000000001' } }),
    })
    .meta({ id: 'ReleaseCommandRequestDto', description: 'Values for the missing placeholders of a command.' }),
  bodyExample: { values: { 'customer.minecraft.uuid': '069a79f4-44e9-4726-a5be-fca90e38aaf5' } },
  success: {
    status: 200,
    description: 'The command as it will run.',
    schema: commandAttemptDtoSchema,
    example: {
      ...commandAttemptExample,
      executed_at: null,
      executed_by_ip: null,
      state: 'pending',
      given_out_count: 0,
    },
  },
  async handle({ deliveryItems }, { params, body, call }) {
    const { attempt } = await deliveryItems.releaseCommand({ attemptId: params.attemptId, values: body.values }, call)
    return { body: commandAttemptDto(attempt) }
  },
})

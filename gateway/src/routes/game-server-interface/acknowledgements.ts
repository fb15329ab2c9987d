import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import type { EndpointRequest } from '../../http/endpoint.ts'
import { callAsServer } from './call-as-server.ts'
import { fieldsOf, listOf, textOf } from './plugin-values.ts'

/** Says how an acknowledgement differs from other operations. */
export const neverFails =
  'Unknown, repeated and malformed ids are ignored: an acknowledgement never fails for its content, because plugins execute the command ' +
  'again after an error. It is not rate limited.'

export const acknowledgedCommands = z
  .array(
    z
      .object({ attempt_id: flakeId.describe('Id of an executed command.') })
      .meta({ id: 'AcknowledgedCommandDto', description: 'A command that was executed.' }),
  )
  .meta({ description: 'The executed commands.' })

export const acknowledgedExample = [{ attempt_id: '411486491630370950' }]

/** The ids in a body, in whatever form: objects with `attempt_id`, or bare ids. */
export const acknowledgedIds = z.unknown().transform((body) =>
  listOf(body)
    .map((entry) => textOf(fieldsOf(entry).attempt_id ?? entry))
    .filter((id) => id !== ''),
)

/** Reports the commands as executed. */
export async function acknowledge(
  { commandQueue }: Pick<GatewayContext, 'commandQueue'>,
  { gameServer, peerAddress, call }: Acknowledging,
  ids: readonly string[],
): Promise<Record<never, never>> {
  for (let start = 0; start < ids.length; start += deliveryLimits.acknowledged) {
    const attemptIds = ids.slice(start, start + deliveryLimits.acknowledged)
    await callAsServer(gameServer, (server) =>
      commandQueue.acknowledgeCommands({ ...server, attemptIds, peerAddress }, call),
    )
  }
  return {}
}

type Acknowledging = Pick<
  EndpointRequest<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, 'game-server'>,
  'gameServer' | 'peerAddress' | 'call'
>

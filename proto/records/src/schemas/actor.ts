import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
import { actorNames } from '@storekeep/proto/conventions/actor-names'
import { z } from 'zod'
import { flakeId } from './fields.ts'

export const actorDtoSchema = z
  .object({
    type: z
      .enum(Object.values(actorNames))
      .meta({ id: 'ActorTypeDto', description: 'Kind of actor.' })
      .describe('Kind of actor. A call with an API key has the type `api_key`.'),
    id: flakeId.nullable().describe('Id of the actor, such as the API key; null for an actor without an id.'),
  })
  .meta({ id: 'ActorDto', description: 'Who created or changed a record.' })

export type ActorDto = z.input<typeof actorDtoSchema>

export const actorExample: ActorDto = { type: 'api_key', id: '411486491630370817' }

export function actorDto(actor: Actor | undefined): ActorDto {
  return { type: typeNames[actor?.type ?? ActorType.UNSPECIFIED] ?? 'anonymous', id: actor?.id ?? null }
}

const typeNames: Record<ActorType, ActorDto['type']> = { [ActorType.UNSPECIFIED]: 'anonymous', ...actorNames }

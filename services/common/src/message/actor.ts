import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
import { actorNames } from '@storekeep/proto/conventions/actor-names'
import type { CallActor } from '../grpc/index.ts'

/** Encodes an actor for a text column: `api_key:411486491630370817`, `internal`. */
export function actorText({ type, id }: CallActor): string {
  const name = typeNames[type] ?? 'unspecified'
  return id === undefined ? name : `${name}:${id}`
}

/** Decodes the output of `actorText`. */
export function actorFromText(text: string): Actor {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const id = colon < 0 ? undefined : text.slice(colon + 1)
  return { $typeName: 'storekeep.common.v1.Actor', type: typesByName.get(name) ?? ActorType.UNSPECIFIED, id }
}

const typeNames: Record<ActorType, string> = { [ActorType.UNSPECIFIED]: 'unspecified', ...actorNames }

const typesByName = new Map(Object.values(ActorType).map((type) => [typeNames[type], type]))

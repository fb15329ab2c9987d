import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
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

/** Stored in rows, so these names never change. */
const typeNames: Record<ActorType, string> = {
  [ActorType.UNSPECIFIED]: 'unspecified',
  [ActorType.ANONYMOUS]: 'anonymous',
  [ActorType.USER]: 'user',
  [ActorType.API_KEY]: 'api_key',
  [ActorType.CUSTOMER]: 'customer',
  [ActorType.GAME_SERVER]: 'game_server',
  [ActorType.INTERNAL]: 'internal',
  [ActorType.ADMIN]: 'admin',
  [ActorType.PLATFORM]: 'platform',
  [ActorType.GLOBAL_CUSTOMER]: 'global_customer',
}

const typesByName = new Map(Object.values(ActorType).map((type) => [typeNames[type], type]))

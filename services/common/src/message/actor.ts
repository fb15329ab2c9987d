import { type Actor, ActorType } from '@storekeep/proto/common/v1/actor'
import type { CallActor } from '../grpc/index.ts'

/** Who made a call, as one column of a row: `api_key:411486491630370817`, `internal`. */
export function actorText({ type, id }: CallActor): string {
  const name = typeNames[type] ?? 'unspecified'
  return id === undefined ? name : `${name}:${id}`
}

/** The actor in a column that `actorText` wrote. */
export function actorFromText(text: string): Actor {
  const [name = '', id] = text.split(':')
  return { $typeName: 'storekeep.common.v1.Actor', type: typesByName.get(name) ?? ActorType.UNSPECIFIED, id }
}

/** Written into rows, so never changed. */
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

import { ActorType } from '@storekeep/proto/common/v1/actor'

/** The names of actor types in the API and in rows. They never change. */
export const actorNames = {
  [ActorType.ANONYMOUS]: 'anonymous',
  [ActorType.USER]: 'user',
  [ActorType.API_KEY]: 'api_key',
  [ActorType.CUSTOMER]: 'customer',
  [ActorType.GAME_SERVER]: 'game_server',
  [ActorType.INTERNAL]: 'internal',
  [ActorType.ADMIN]: 'admin',
  [ActorType.PLATFORM]: 'platform',
  [ActorType.GLOBAL_CUSTOMER]: 'global_customer',
} as const satisfies Record<Exclude<ActorType, typeof ActorType.UNSPECIFIED>, string>

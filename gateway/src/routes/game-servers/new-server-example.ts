import { type GameServerDto, gameServerExample } from '@storekeep/records/delivery/game-server-dto'

/** A game server in a response with its token. */
export const newServerExample: GameServerDto = { ...gameServerExample, token: 'skgs_…', linked_to: null }

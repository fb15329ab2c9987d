import { type Audit, auditColumns, type Columns, selectColumns } from '@storekeep/common/postgres'
import type { GameServerState } from '../domain/game-server.ts'

/** A game server as the repository returns it. Ids are int8 and therefore strings. */
export interface GameServerRow extends GameServerState, Audit {
  id: string
  storeId: string
  tokenResetAt: Date | null
  /** The columns of the link are all null until a plugin has connected. */
  linkIp: string | null
  linkHostname: string | null
  linkPlatform: string | null
  linkVersion: string | null
  linkedAt: Date | null
  lastFetchedAt: Date | null
  lastFetchedFromIp: string | null
}

export const gameServerColumns = selectColumns({
  id: 'id',
  storeId: 'store_id',
  name: 'name',
  enabled: 'enabled',
  tokenResetAt: 'token_reset_at',
  linkIp: 'link_ip',
  linkHostname: 'link_hostname',
  linkPlatform: 'link_platform',
  linkVersion: 'link_version',
  linkedAt: 'linked_at',
  lastFetchedAt: 'last_fetched_at',
  lastFetchedFromIp: 'last_fetched_from_ip',
  ...auditColumns,
} as const satisfies Columns<keyof GameServerRow>)

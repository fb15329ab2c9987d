import { type Violation, violation } from '@storekeep/common/errors'
import type { StoreGameServer } from '../../products/domain/product-references.ts'

/**
 * Why a line cannot be delivered to the chosen game server; undefined if it can. A product that names servers can be
 * delivered to these, any other product to all enabled servers.
 * @param selectedId undefined if none is chosen
 * @param terms of the product: its servers, and whether a choice is required
 * @param servers all servers of the store; only read if one is chosen
 * @param at path of the choice in the request
 */
export function gameServerViolation(
  selectedId: string | undefined,
  { gameServerIds, isRequired }: { gameServerIds: readonly string[]; isRequired: boolean },
  servers: readonly StoreGameServer[],
  at: string,
): Violation | undefined {
  if (selectedId === undefined) {
    return isRequired
      ? violation(at, 'required', 'is required: the product is delivered to one game server')
      : undefined
  }
  const server = servers.find(({ id }) => id === selectedId)
  if (!server) return violation(at, 'reference', 'is not a game server of this store')
  const isOffered = gameServerIds.length === 0 ? server.enabled : gameServerIds.includes(selectedId)
  return isOffered ? undefined : violation(at, 'enum', 'must be one of the game servers of the product')
}

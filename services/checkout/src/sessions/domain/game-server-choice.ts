import { type Violation, violation } from '@storekeep/common/errors'
import type { StoreGameServer } from '../../products/domain/product-references.ts'

/**
 * Why a line cannot be delivered to the chosen game server; undefined if it can. A buyer chooses among the enabled servers that the
 * product names, or among all enabled ones if it names none.
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
  if (gameServerIds.length > 0 && !gameServerIds.includes(selectedId)) {
    return violation(at, 'enum', 'must be one of the game servers of the product')
  }
  return server.enabled ? undefined : violation(at, 'enum', 'is disabled: choose an enabled game server')
}

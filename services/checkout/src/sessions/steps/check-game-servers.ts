import type { Violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { gameServerReferences, unknownGameServers } from '../../products/domain/product-references.ts'
import { gameServerViolation } from '../domain/game-server-choice.ts'
import type { ProductLine } from '../domain/order.ts'

/**
 * The violations in the game servers of an order, which its lines choose and its inline products name. Makes no call if there are
 * none.
 * @throws ServiceFault `service-unavailable`
 */
export async function findGameServerViolations(
  ctx: AppContext,
  call: Call,
  lines: readonly ProductLine[],
): Promise<Violation[]> {
  const named = lines.flatMap(({ at, productId, terms }) =>
    productId === null ? gameServerReferences(terms, `${at}.inline_product`) : [],
  )
  const isChosen = lines.some(({ draft }) => draft.selectedGameserverId !== undefined)
  const servers = named.length > 0 || isChosen ? await ctx.gameServers.list(call) : []
  const choices = lines.map(({ at, terms, draft }) => {
    const offered = { gameServerIds: terms.gameServerIds, isRequired: terms.singleGameServerOnly }
    return gameServerViolation(draft.selectedGameserverId, offered, servers, `${at}.selected_gameserver_id`)
  })
  return [...unknownGameServers(named, servers), ...choices.filter((one) => one !== undefined)]
}

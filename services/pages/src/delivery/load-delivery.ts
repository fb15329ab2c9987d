import { ServiceFault } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { GameServer } from '@storekeep/proto/delivery/v1/game_server'
import type { ItemStatus } from '@storekeep/proto/delivery/v1/item_status'
import type { PagesContext } from '../context.ts'
import type { PageRequest } from '../http/route.ts'

/** One page of items: of an order in the order of its lines, otherwise newest first. */
export interface Delivery {
  items: readonly ItemStatus[]
  /** The names of the store's game servers, by id. */
  serverNames: ReadonlyMap<string, string>
  /** Id of the last item, if there are more. */
  next: string | undefined
}

/**
 * Loads what was delivered, or waits. The store of the request is known. Its customer, order or subscription must already be
 * verified, or be verified before the items are shown.
 * @returns undefined if the delivery service is unavailable or slow: pages then say so, and show the rest
 */
export async function loadDelivery(
  ctx: PagesContext,
  request: PageRequest,
  { limit, after, ...filter }: DeliveryFilter,
): Promise<Delivery | undefined> {
  const call = request.callOptions(maxWaitMs)
  const page = { limit, asc: filter.orderId !== undefined, ...(after !== undefined && { after }) }
  try {
    const [{ items, page: info }, { gameServers }] = await Promise.all([
      ctx.deliveryItems.listItemStatuses({ ...filter, page }, call),
      ctx.gameServers.listGameServers({}, call),
    ])
    return {
      items,
      serverNames: new Map(gameServers.map(({ id, name }) => [id, name])),
      next: info?.hasNext ? items.at(-1)?.id : undefined,
    }
  } catch (error) {
    if (error instanceof ServiceFault) return undefined
    throw error
  }
}

interface DeliveryFilter {
  customerId?: string
  orderId?: string
  subscriptionId?: string
  activeOnly?: boolean
  limit: number
  /** Id of the last item of the previous page. */
  after?: string | undefined
}

/**
 * The game servers of the store of the request, which is known.
 * @returns none if the delivery service is unavailable or slow
 */
export async function loadGameServers(ctx: PagesContext, request: PageRequest): Promise<readonly GameServer[]> {
  try {
    return (await ctx.gameServers.listGameServers({}, request.callOptions(maxWaitMs))).gameServers
  } catch (error) {
    if (error instanceof ServiceFault) return []
    throw error
  }
}

/** The cursor of the items in the query of a page. Malformed ones are ignored. */
export function itemsAfter({ query }: Pick<PageRequest, 'query'>): string | undefined {
  const after = query.get('items')
  return after !== null && isFlakeId(after) ? after : undefined
}

/** The rest of a page does not wait longer for the status of the delivery. */
const maxWaitMs = 1500

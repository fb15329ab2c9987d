import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess } from '@storekeep/common/testing'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { CommandAttemptState, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import type { CommandStatusSchema, ItemStatusSchema } from '@storekeep/proto/delivery/v1/item_status'

/** A fake of the delivery service: its items, oldest first, and game servers belong to every store. */
export function useFakeDelivery() {
  const fake = {
    items: [] as ItemInit[],
    /** Names by id. */
    gameServers: new Map<string, string>(),
    outage: 'none' as 'none' | 'unavailable' | 'hanging',
    /** The filters of all lists so far. */
    lists: [] as Filter[],
  }
  const { lists } = fake
  const service = useFakeProcess('delivery', [
    fakeService(DeliveryItemsService, {
      async listItemStatuses({ page, customerId, orderId, subscriptionId, activeOnly }, call) {
        lists.push({ customerId, orderId, subscriptionId, activeOnly })
        if (fake.outage === 'unavailable') throw errors.unavailable()
        if (fake.outage === 'hanging') await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
        const found = fake.items.filter(
          (item) =>
            (customerId === undefined || item.customerId === customerId) &&
            (orderId === undefined || item.orderId === orderId) &&
            (subscriptionId === undefined || item.subscriptionId === subscriptionId) &&
            (!activeOnly || item.state === DeliveryItemState.USABLE || item.state === DeliveryItemState.ACTIVE),
        )
        if (!page?.asc) found.reverse()
        const start = page?.after === undefined ? 0 : found.findIndex(({ id }) => id === page.after) + 1
        const end = start + (page?.limit ?? 50)
        const items = found.slice(start, end).map(({ orderId, subscriptionId, ...item }) => item)
        return { items, page: { hasNext: end < found.length, hasPrevious: start > 0 } }
      },
    }),
    fakeService(GameServersService, {
      async listGameServers() {
        if (fake.outage === 'unavailable') throw errors.unavailable()
        return { gameServers: [...fake.gameServers].map(([id, name]) => ({ id, name, enabled: true })) }
      },
    }),
  ])
  return Object.assign(fake, { address: () => service.address })
}

interface Filter {
  customerId: string | undefined
  orderId: string | undefined
  subscriptionId: string | undefined
  activeOnly: boolean
}

/** An item, with what lists filter by. */
export type ItemInit = Exclude<MessageInitShape<typeof ItemStatusSchema>, { $typeName: string }> & {
  orderId?: string
  subscriptionId?: string
}
export type CommandInit = Exclude<MessageInitShape<typeof CommandStatusSchema>, { $typeName: string }>

/** A usable item. */
export function anItem(name: string, fields: ItemInit = {}): ItemInit {
  return {
    id: randomId(),
    product: { id: randomId(), name },
    state: DeliveryItemState.USABLE,
    addedAt: inDays(-1),
    ...fields,
  }
}

/** A pending command of a purchase. */
export function aCommand(fields: CommandInit = {}): CommandInit {
  return {
    stage: CommandStage.ON_PURCHASE,
    state: CommandAttemptState.PENDING,
    dueAt: inDays(-1),
    ...fields,
  }
}

/** A number of days after the time at which the clock of the tests has stopped. */
export function inDays(days: number) {
  return timestampFromDate(new Date(Date.UTC(1970, 0, 1 + days)))
}

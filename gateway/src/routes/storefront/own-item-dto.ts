import type { CommandAttempt, DeliveryItem } from '@storekeep/proto/delivery/v1/delivery_item'
import { attemptStateValues } from '@storekeep/records/delivery/delivery-enums'
import {
  deliveryItemExample,
  deliveryItemFields,
  deliveryItemFieldsDto,
} from '@storekeep/records/delivery/delivery-item-dto'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const waitSchema = z
  .object({
    gameserver_id: flakeId.describe('The game server that the item waits for.'),
    gameserver_name: z.string().nullable().describe('Name of the game server; null if it was deleted.'),
    online_only: z.boolean().describe('Whether the customer must be online on the server.'),
    is_blocked: z
      .boolean()
      .describe(
        'Whether an account of the customer is unknown, such as a Minecraft account, so that the item cannot be delivered yet.',
      ),
  })
  .meta({ id: 'DeliveryItemWaitDto', description: 'What an item waits for.' })

export const ownItemDtoSchema = z
  .object({
    id: flakeId.describe('Id of the item.'),
    ...deliveryItemFields,
    waits_for: z
      .array(waitSchema)
      .describe('What the item waits for, one entry per game server; empty once it is delivered.'),
  })
  .meta({
    id: 'StorefrontDeliveryItemDto',
    description: 'One unit of a product that the signed-in customer owns or owned.',
  })

type OwnItemDto = z.input<typeof ownItemDtoSchema>

/** An item as its customer may see it. @param names the names of game servers, by id */
export function ownItemDto(item: DeliveryItem, names: ReadonlyMap<string, string>): OwnItemDto {
  const open = item.commandAttempts.filter(isOpen)
  const waits = [...Map.groupBy(open, ({ gameServerId }) => gameServerId)].map(([id, attempts]) => ({
    gameserver_id: id,
    gameserver_name: names.get(id) ?? null,
    online_only: attempts.some(({ onlineOnly }) => onlineOnly),
    is_blocked: attempts.some(({ state }) => state === attemptStateValues.blocked),
  }))
  return { id: item.id, ...deliveryItemFieldsDto(item), waits_for: waits }
}

function isOpen({ state }: CommandAttempt): boolean {
  return state === attemptStateValues.pending || state === attemptStateValues.blocked
}

const { id, order_id, subscription_id, execute_on_gameserver_id, quantity_index, product, added_at } =
  deliveryItemExample

export const ownItemExample: OwnItemDto = {
  id,
  order_id,
  subscription_id,
  execute_on_gameserver_id,
  quantity_index,
  product,
  state: 'usable',
  added_at,
  active_at: null,
  expirable: true,
  expires_at: null,
  removed_at: null,
  gift: false,
  waits_for: [
    {
      gameserver_id: '411486491630370920',
      gameserver_name: 'Survival',
      online_only: true,
      is_blocked: false,
    },
  ],
}

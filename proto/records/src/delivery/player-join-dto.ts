import type { CustomerJoined } from '@storekeep/proto/delivery/v1/events'
import { z } from 'zod'
import { flakeId } from '../schemas/fields.ts'
import { dateTime, printTime } from '../schemas/times.ts'

export const playerJoinSchema = z
  .object({
    store_id: flakeId.describe('Id of the store.'),
    customer_id: flakeId.describe('The customer who joined.'),
    gameserver_id: flakeId.describe('The game server that the customer joined.'),
    joined_at: dateTime.describe('When the customer joined.'),
  })
  .meta({ id: 'PlayerJoinDto', description: 'A customer who joined a game server.' })

export function playerJoinDto(
  { customerId, gameServerId, joinedAt }: CustomerJoined,
  storeId: string,
): z.input<typeof playerJoinSchema> {
  if (!joinedAt) throw new Error('A service returned a join without its time.')
  return { store_id: storeId, customer_id: customerId, gameserver_id: gameServerId, joined_at: printTime(joinedAt) }
}

export const playerJoinExample: z.input<typeof playerJoinSchema> = {
  store_id: '411486491596816384',
  customer_id: '411486491630370816',
  gameserver_id: '411486491630370920',
  joined_at: '2026-11-20T15:01:12.000Z',
}

import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { Stage } from '../../domain/stage.ts'

/** A global command that runs once in a stage of an order. */
export interface OrderCommand {
  orderId: string
  globalCommandId: string
  stage: Stage
}

/**
 * Records that commands run. Waits for concurrent transactions that record the same ones; in a fixed order, so that no two wait
 * for each other.
 * @param commands of one store, each once
 * @returns the ones not recorded before
 */
export async function insertOrderCommands(
  tx: Transaction,
  storeId: string,
  commands: readonly OrderCommand[],
): Promise<OrderCommand[]> {
  if (commands.length === 0) return []
  const column = (name: keyof OrderCommand) => commands.map((command) => command[name])
  return await tx.query<OrderCommand>(sql`
    insert into order_command (store_id, order_id, global_command_id, stage)
    select ${storeId}, order_id, global_command_id, stage from unnest(
      ${column('orderId')}::bigint[], ${column('globalCommandId')}::bigint[], ${column('stage')}::text[]
    ) as reached (order_id, global_command_id, stage)
    order by order_id, global_command_id, stage
    on conflict do nothing
    returning order_id as "orderId", global_command_id as "globalCommandId", stage`)
}

/**
 * Locks what orders have recorded, until the transaction ends, so that no two transactions that remove items of an order choose each
 * other's items (`findHeirs`).
 * @returns the orders with such commands
 */
export async function lockOrderCommands(
  tx: Transaction,
  storeId: string,
  orderIds: readonly string[],
): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<Pick<OrderCommand, 'orderId'>>(sql`
    select order_id as "orderId" from order_command
    where store_id = ${storeId} and order_id = any(${orderIds}::bigint[]) and stage in ('on_purchase', 'on_renew')
    order by order_id, global_command_id, stage for update`)
  return [...new Set(rows.map(({ orderId }) => orderId))]
}

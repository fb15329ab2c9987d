import type { Journal } from '@storekeep/test/kit/plugins'
import type pg from 'pg'
import type { Sales } from './delivery-sales.ts'

/** Compares what was paid and refunded with the items, and their commands with what the game servers executed. */
export async function readBalance(database: pg.Client, { storeId, sold }: Sales, journal: Journal): Promise<Balance> {
  const read = async <Row extends object>(text: string) => (await database.query<Row>(text, [storeId])).rows
  const items = await read<Item>(`
    select id, order_id as "order", order_line || ' ' || quantity_index as unit, state, unplanned_stages = '{}' as "isPlanned"
    from delivery.delivery_item where store_id = $1`)
  const attempts = await read<Attempt>(`
    select id, item_id as item, stage, state, split_part(command, ' ', 1) as command
    from delivery.command_attempt where store_id = $1`)
  const executed = new Set(journal.executions().map(({ id }) => id))
  const units = [...sold].flatMap(([order, { quantity }]) =>
    Array.from({ length: quantity }, (_, index) => `${order} 1 ${index}`),
  )
  const itemsOf = Map.groupBy(items, ({ order, unit }) => `${order} ${unit}`)
  const missing = units.filter((unit) => !itemsOf.has(unit)).length
  const refunded = [...sold.values()].reduce((sum, sale) => sum + sale.refunded, 0)
  const revoked = items.filter(({ state }) => state === 'revoked')
  const attemptsOf = Map.groupBy(attempts, ({ item }) => item)
  const lacksExecution = (item: Item, command: string) =>
    !(attemptsOf.get(item.id) ?? []).some((one) => one.command === command && executed.has(one.id))
  const deliveries = attempts.map(({ item, command }) => `${item} ${command}`)
  return {
    'units paid': units.length,
    items: items.length,
    'units without item': missing,
    'surplus items': items.length - (units.length - missing),
    'units refunded': refunded,
    'items revoked': revoked.length,
    'items not delivered': items.filter(
      (item) => item.state !== 'revoked' && (lacksExecution(item, 'give') || lacksExecution(item, 'thank')),
    ).length,
    'items not taken back': revoked.filter((item) => lacksExecution(item, 'take')).length,
    'commands queued twice': deliveries.length - new Set(deliveries).size,
    'commands executed without the game': attempts.filter(({ id, state }) => state === 'executed' && !executed.has(id))
      .length,
    'commands out of order': countOutOfOrder(journal),
    'given out after acknowledgement': journal.givenOutAfterAcknowledgement().length,
    pending:
      attempts.filter(({ state }) => state === 'pending' || state === 'blocked').length +
      items.filter(({ isPlanned }) => !isPlanned).length,
  }
}

/** Items whose second command was executed before the first one. */
function countOutOfOrder(journal: Journal): number {
  const given = new Set<string>()
  let count = 0
  for (const { command } of journal.executions()) {
    const [verb, item = ''] = command.split(' ')
    if (verb === 'give') given.add(item)
    else if (verb === 'thank' && !given.has(item)) count += 1
  }
  return count
}

interface Item {
  id: string
  order: string
  unit: string
  state: string
  isPlanned: boolean
}

interface Attempt {
  id: string
  item: string
  stage: string
  state: string
  command: string
}

export type Balance = Record<
  | 'units paid'
  | 'items'
  | 'units without item'
  | 'surplus items'
  | 'units refunded'
  | 'items revoked'
  | 'items not delivered'
  | 'items not taken back'
  | 'commands queued twice'
  | 'commands executed without the game'
  | 'commands out of order'
  | 'given out after acknowledgement'
  | 'pending',
  number
>

/** What must hold once nothing is on its way. */
export const balanced = {
  'units without item': 0,
  'surplus items': 0,
  'items not delivered': 0,
  'items not taken back': 0,
  'commands queued twice': 0,
  'commands executed without the game': 0,
  'commands out of order': 0,
  'given out after acknowledgement': 0,
  pending: 0,
} as const satisfies Partial<Balance>

import { timestampMs } from '@bufbuild/protobuf/wkt'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { CommandAttemptState, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import type { CommandStatus, ItemStatus } from '@storekeep/proto/delivery/v1/item_status'

/** What the owner of an item waits for, or has to do. */
export type Wait =
  /** The owner must join these game servers. */
  | { kind: 'join'; serverIds: string[] }
  /** The owner must add an account of this platform. */
  | { kind: 'account'; account: Account }
  /** These game servers have not fetched their commands. */
  | { kind: 'server'; serverIds: string[] }
  /** The product delays its commands until this time. */
  | { kind: 'later'; timeMs: number }
  /** The game server never acknowledged a command, so the store has to act. */
  | { kind: 'unconfirmed' }
  /** A value is missing that only the store can add. */
  | { kind: 'details' }
  /** The plugin of the game server requires this number of free inventory slots. */
  | { kind: 'slots'; count: number }

/** The name of a platform, which is the same in every language. */
export type Account = 'Minecraft' | 'Steam' | 'Xbox'

/** Whether a game server has executed a command of the item, as opposed to an item without commands. */
export function isDelivered({ commands }: ItemStatus): boolean {
  return commands.some((command) => givesGoods(command) && command.state === CommandAttemptState.EXECUTED)
}

/**
 * What is left to do until the item is delivered completely. Empty once it is, and for items that have ended: the commands that take
 * goods away need nothing from their owner.
 * @param nowMs Unix time in milliseconds
 */
export function waitsOf(item: ItemStatus, nowMs: number): Wait[] {
  const { state, commands } = item
  if (state !== DeliveryItemState.USABLE && state !== DeliveryItemState.ACTIVE) return []
  const open = commands.filter((command) => givesGoods(command) && isOpen(command))
  if (open.length === 0) {
    // Its commands are queued as soon as there is a game server.
    const isUnplanned = state === DeliveryItemState.USABLE && commands.length === 0
    return isUnplanned ? [{ kind: 'server', serverIds: [] }] : []
  }
  const waits: Wait[] = []
  const blocked = open.filter(({ state }) => state === CommandAttemptState.BLOCKED)
  const missing = new Set(blocked.flatMap(({ missingPlaceholders }) => missingPlaceholders.map(accountOf)))
  for (const account of missing) waits.push(account ? { kind: 'account', account } : { kind: 'details' })
  const pending = open.filter(({ state }) => state === CommandAttemptState.PENDING)
  if (pending.some(({ stuck }) => stuck)) waits.push({ kind: 'unconfirmed' })
  const queued = pending.filter(({ stuck }) => !stuck)
  const due = queued.filter((command) => dueMs(command) <= nowMs)
  const join = serversOf(due.filter(({ onlineOnly }) => onlineOnly))
  if (join.length > 0) waits.push({ kind: 'join', serverIds: join })
  // A server that waits for its player has fetched, or will fetch, the other commands as well.
  const fetch = serversOf(due.filter(({ onlineOnly }) => !onlineOnly)).filter((id) => !join.includes(id))
  if (fetch.length > 0) waits.push({ kind: 'server', serverIds: fetch })
  if (due.length === 0 && queued.length > 0) waits.push({ kind: 'later', timeMs: Math.min(...queued.map(dueMs)) })
  const count = Math.max(...open.map(({ requiredSlots }) => requiredSlots))
  if (count > 0) waits.push({ kind: 'slots', count })
  return waits
}

/** As opposed to commands that take goods away. */
function givesGoods({ stage }: CommandStatus): boolean {
  return stage === CommandStage.ON_PURCHASE || stage === CommandStage.ON_RENEW || stage === CommandStage.ON_TRIAL_START
}

function isOpen({ state }: CommandStatus): boolean {
  return state === CommandAttemptState.PENDING || state === CommandAttemptState.BLOCKED
}

function dueMs({ dueAt }: CommandStatus): number {
  return dueAt ? timestampMs(dueAt) : 0
}

function serversOf(commands: readonly CommandStatus[]): string[] {
  return [...new Set(commands.map(({ gameServerId }) => gameServerId))]
}

/** @returns undefined for a placeholder to which the owner cannot add a value, such as one of the giver */
function accountOf(placeholder: string): Account | undefined {
  const [, platform = ''] = /^customer[.](minecraft|steam|xbox)[.]/.exec(placeholder) ?? []
  return accounts[platform]
}

const accounts: Readonly<Record<string, Account>> = { minecraft: 'Minecraft', steam: 'Steam', xbox: 'Xbox' }

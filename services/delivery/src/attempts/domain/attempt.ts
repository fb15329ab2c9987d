import type { Stage } from '../../domain/stage.ts'

/**
 * `pending` until the server has acknowledged it or it was unqueued; `blocked` while a placeholder has no value (contract
 * "Delivery", items and attempts).
 */
export type AttemptState = 'pending' | 'blocked' | 'executed' | 'unqueued'

/** A command to queue for one game server. Ids are decimal strings. */
export interface NewAttempt {
  storeId: string
  /** Null for a command without an item. */
  itemId: string | null
  gameServerId: string
  customerId: string | null
  stage: Stage
  /** The command with its placeholders. */
  template: string
  /** With its placeholders replaced; ignored if some are missing. */
  command: string
  /** The placeholders without a value. If there are any, the attempt is blocked. */
  missingPlaceholders: readonly string[]
  onlineOnly: boolean
  /** 0 to 54; 0: none. */
  requiredSlots: number
  /** The first command that this one repeats, because the staff queued it again. Null: it repeats none. */
  originalId: string | null
  /** The id of a global command that runs once per order; otherwise null. */
  onceId: string | null
  /** The identities by which the plugin finds the player. */
  steamId: string | null
  /** With hyphens. */
  minecraftUuid: string | null
  customerName: string | null
  queuedAt: Date
  /** Not given out before. */
  dueAt: Date
}

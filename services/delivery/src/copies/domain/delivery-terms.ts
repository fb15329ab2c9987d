import type { Stage } from '../../domain/stage.ts'

/** What a version of a product, or an inline product, delivers. */
export interface DeliveryTerms {
  /** The servers that receive the commands. Empty: all enabled servers of the store. */
  gameServerIds: readonly string[]
  commands: readonly DeliveryCommand[]
  /** How long after its activation an item expires. Null: never. */
  removeAfter: Interval | null
}

/** A command as it was saved, with placeholders. */
export interface DeliveryCommand {
  stage: Stage
  content: string
  onlineOnly: boolean
  /** Replaces the servers of the product. Empty: does not. */
  gameServerIds: readonly string[]
  delaySeconds: number
  requiredSlots: number
}

export interface Interval {
  value: number
  scale: 'day' | 'week' | 'month'
}

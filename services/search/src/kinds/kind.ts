import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import type { Searchable } from '../domain/searchable.ts'

/** One kind of record that is searched. */
export interface Kind {
  type: SearchedRecord
  /** Name of the service that owns it, as in deploy and settings. */
  owner: OwnerName
  /** The events that tell of it. */
  events: readonly KindEvent[]
  /** What a record can be found by, from its message in bytes. */
  describe(record: Uint8Array): Searchable
  /** The record for an answer, as it is at `now`. */
  read(record: Uint8Array, now: Date): DecodedRecord
}

export interface KindEvent {
  schema: DescMessage
  /** True when the record is gone after it. */
  isDeletion: boolean
  /** The record in the event's message, in bytes; undefined when it holds none. */
  recordOf(message: object): Uint8Array | undefined
}

/** The services that export what is searched. */
export const ownerNames = ['customers', 'bans', 'coupons', 'custom-variables', 'checkout'] as const
export type OwnerName = (typeof ownerNames)[number]

/** What is decoded as; the answer names it by its type. */
type DecodedRecord = MessageShape<DescMessage>

/**
 * Makes the description of a kind.
 * @param parts.changes event messages after which the record is as they tell
 * @param parts.deletions event messages after which it is gone
 * @param parts.inEvent the member of these messages that holds the record
 * @param parts.refresh what of the record depends on the time
 */
export function defineKind<S extends DescMessage>(parts: {
  type: SearchedRecord
  owner: OwnerName
  schema: S
  changes: readonly DescMessage[]
  deletions: readonly DescMessage[]
  inEvent: string
  describe: (record: MessageShape<S>) => Searchable
  refresh?: (record: MessageShape<S>, now: Date) => MessageShape<S>
}): Kind {
  const { type, owner, schema, describe, refresh = (record) => record } = parts
  const recordOf = (message: object): Uint8Array | undefined => {
    const record = (message as Record<string, MessageShape<S> | undefined>)[parts.inEvent]
    return record && toBinary(schema, record)
  }
  const event = (isDeletion: boolean) => (one: DescMessage) => ({ schema: one, isDeletion, recordOf })
  return {
    type,
    owner,
    events: [...parts.changes.map(event(false)), ...parts.deletions.map(event(true))],
    describe: (record) => describe(fromBinary(schema, record)),
    read: (record, now) => refresh(fromBinary(schema, record), now),
  }
}

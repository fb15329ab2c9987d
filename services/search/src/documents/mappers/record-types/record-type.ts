import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { decode, encode } from '@storekeep/proto/codec'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import type { Searchable } from '../../domain/searchable.ts'

/** A type of record that can be searched. */
export interface RecordType {
  type: SearchedRecord
  /** The service that owns the records. */
  owner: OwnerName
  /** The events that carry such a record. */
  events: readonly RecordEvent[]
  /** The searchable fields of an encoded record. */
  describe(record: Uint8Array): Searchable
  /** Decodes a record for a response, as of `now`. */
  read(record: Uint8Array, now: Date): DecodedRecord
}

export interface RecordEvent {
  schema: DescMessage
  isDeletion: boolean
  /** Whether the event leaves out fields of the record, which only its owner returns. */
  isPartial(message: object): boolean
  /** The encoded record of an event; undefined if it has none. */
  recordOf(message: object): Uint8Array | undefined
}

/** The services that own searchable records. */
export const ownerNames = [
  'customers',
  'bans',
  'coupons',
  'custom-variables',
  'checkout',
  'orders',
  'delivery',
] as const
export type OwnerName = (typeof ownerNames)[number]

type DecodedRecord = MessageShape<DescMessage>

/**
 * Defines a record type.
 * @param parts.changes events that carry the new state of the record
 * @param parts.deletions events that carry the last state of a deleted record
 * @param parts.eventField the field of these events that holds the record
 * @param parts.isPartial whether the record of an event lacks fields that are searched
 * @param parts.refresh updates fields that depend on the time
 */
export function defineRecordType<S extends DescMessage>(parts: {
  type: SearchedRecord
  owner: OwnerName
  schema: S
  changes: readonly DescMessage[]
  deletions: readonly DescMessage[]
  eventField: string
  describe: (record: MessageShape<S>) => Searchable
  isPartial?: (record: MessageShape<S>) => boolean
  refresh?: (record: MessageShape<S>, now: Date) => MessageShape<S>
}): RecordType {
  const { type, owner, schema, describe, refresh = (record) => record } = parts
  const fieldOf = (message: object) => (message as Record<string, MessageShape<S> | undefined>)[parts.eventField]
  const recordOf = (message: object): Uint8Array | undefined => {
    const record = fieldOf(message)
    return record && encode(schema, record as MessageInitShape<S>)
  }
  const isPartial = (message: object): boolean => {
    const record = fieldOf(message)
    return record !== undefined && (parts.isPartial?.(record) ?? false)
  }
  const event = (isDeletion: boolean) => (one: DescMessage) => ({ schema: one, isDeletion, recordOf, isPartial })
  return {
    type,
    owner,
    events: [...parts.changes.map(event(false)), ...parts.deletions.map(event(true))],
    describe: (record) => describe(decode(schema, record)),
    read: (record, now) => refresh(decode(schema, record), now),
  }
}

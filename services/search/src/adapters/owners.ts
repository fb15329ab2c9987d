import { randomUUID } from 'node:crypto'
import { type CallOptions, type Client, createClient, createGrpcTransport, internalActor } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import { inTrace, type Metrics } from '@storekeep/common/telemetry'
import { type ExportedRecord, ExportService } from '@storekeep/proto/common/v1/export_service'
import { type OwnerName, ownerNames, type RecordType } from '../documents/mappers/record-types/index.ts'

/** Clients of the services that own the searchable records. */
export function createOwners(
  addresses: Readonly<Record<OwnerName, string>>,
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): Owners {
  const transports = ownerNames.map(
    (owner) => [owner, createGrpcTransport({ to: owner, address: addresses[owner], identity, metrics })] as const,
  )
  const clients = Object.fromEntries(
    transports.map(([owner, transport]) => [owner, createClient(ExportService, transport)]),
  ) as Record<OwnerName, Client<typeof ExportService>>
  return {
    exportRecords: ({ owner, type }, after, limit) =>
      inTrace('copy records', (traceparent) =>
        clients[owner].exportRecords({ aggregate: type, after, limit }, callOptions(traceparent)),
      ),
    async readRecord({ owner, type }, { storeId, id }, traceparent) {
      // No id lies between `id - 1` and `id`, so the first record after `id - 1` is the record itself, if it exists.
      const after = { storeId, id: String(BigInt(id) - 1n) }
      const read = (parent: string) =>
        clients[owner].exportRecords(
          { aggregate: type, after, limit: 1 },
          { actor: internalActor, requestId: randomUUID(), traceparent: parent, deadlineMs: readTimeoutMs },
        )
      const { records } = await (traceparent === undefined ? inTrace('read record', read) : read(traceparent))
      return records.find((record) => record.id === id && record.storeId === storeId)
    },
    sumRecords: ({ owner, type }, after, limit) =>
      inTrace('compare records', (traceparent) =>
        clients[owner].sumRecords({ aggregate: type, after, limit }, callOptions(traceparent)),
      ),
    close() {
      for (const [, transport] of transports) transport.close()
    },
  }
}

/** Short, because the other events of the partition wait for it, and the event is postponed if it fails. */
const readTimeoutMs = 1_000

/** Calls fail with `service-unavailable` while the owner is unreachable. */
export interface Owners {
  exportRecords(
    type: RecordType,
    after: Position,
    limit: number,
  ): ReturnType<Client<typeof ExportService>['exportRecords']>
  /** Reads one record as it is now; undefined if it does not exist. */
  readRecord(type: RecordType, of: Position, traceparent: string | undefined): Promise<ExportedRecord | undefined>
  sumRecords(type: RecordType, after: Position, limit: number): ReturnType<Client<typeof ExportService>['sumRecords']>
  close(): void
}

/** A position in the order of store and id. */
export interface Position {
  storeId: string
  id: string
}

export const firstPosition: Position = { storeId: '0', id: '0' }

/** Internal calls; each exports a thousand records or computes checksums of thousands. */
function callOptions(traceparent: string): CallOptions {
  return { actor: internalActor, requestId: randomUUID(), traceparent, isHeavy: true }
}

import { randomUUID } from 'node:crypto'
import { type CallOptions, type Client, createClient, createGrpcTransport, internalActor } from '@storekeep/common/grpc'
import { inTrace, type Metrics } from '@storekeep/common/telemetry'
import type { TlsIdentity } from '@storekeep/common/tls'
import { ExportService } from '@storekeep/proto/common/v1/export_service'
import { type Kind, type OwnerName, ownerNames } from '../kinds/index.ts'

/** The services whose records are searched, as far as they export them. */
export function createOwners(
  addresses: Readonly<Record<OwnerName, string>>,
  { metrics, tls }: { metrics: Metrics; tls: TlsIdentity | undefined },
): Owners {
  const transports = ownerNames.map(
    (owner) => [owner, createGrpcTransport({ address: addresses[owner], metrics, tls })] as const,
  )
  const clients = Object.fromEntries(
    transports.map(([owner, transport]) => [owner, createClient(ExportService, transport)]),
  ) as Record<OwnerName, Client<typeof ExportService>>
  return {
    exportRecords: (kind, after, limit) =>
      inTrace('copy records', (traceparent) =>
        clients[kind.owner].exportRecords({ aggregate: kind.type, after, limit }, ownCall(traceparent)),
      ),
    sumRecords: (kind, after, limit) =>
      inTrace('compare records', (traceparent) =>
        clients[kind.owner].sumRecords({ aggregate: kind.type, after, limit }, ownCall(traceparent)),
      ),
    close() {
      for (const [, transport] of transports) transport.close()
    },
  }
}

/** Calls fail with `service-unavailable` while the owner is away. */
export interface Owners {
  exportRecords(kind: Kind, after: Position, limit: number): ReturnType<Client<typeof ExportService>['exportRecords']>
  sumRecords(kind: Kind, after: Position, limit: number): ReturnType<Client<typeof ExportService>['sumRecords']>
  close(): void
}

/** A place in the order of store and id. */
export interface Position {
  storeId: string
  id: string
}

export const beforeAll: Position = { storeId: '0', id: '0' }

/** Nobody's request: the product keeps its own copies. Each reads a thousand records or sums them up. */
function ownCall(traceparent: string): CallOptions {
  return { actor: internalActor, requestId: randomUUID(), traceparent, isHeavy: true }
}

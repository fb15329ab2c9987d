import { randomUUID } from 'node:crypto'
import type { Handlers } from '@storekeep/common/grpc'
import { type BulkConnection, withBulkConnection } from '@storekeep/common/postgres'
import type { Runtime } from '@storekeep/common/service'
import type { Metrics } from '@storekeep/common/telemetry'
import type { SearchService } from '@storekeep/proto/search/v1/search_service'
import { createOwners, type Owners } from './adapters/owners.ts'
import type { SearchConfig } from './config.ts'

/** The dependencies of handlers, consumers and tasks, built in one place. */
export interface AppContext extends Runtime {
  owners: Owners
  /** Runs `work` with a separate connection for statements that take long, such as creating an index. */
  bulk<T>(work: (bulk: BulkConnection) => Promise<T>): Promise<T>
  indexMetrics: IndexMetrics
  /** Identifies this process among the replicas that can build an index. */
  worker: string
  checkIntervalMs: number
  /** Closes the connections that this context opened. */
  close(): void
}

/** The handlers of this service, one per RPC. */
export type SearchHandlers = Handlers<typeof SearchService>

export function createContext(runtime: Runtime, config: SearchConfig): AppContext {
  const owners = createOwners(config.owners, runtime)
  return {
    ...runtime,
    owners,
    bulk: (work) => withBulkConnection({ url: config.database.url, applicationName: 'search-bulk' }, work),
    indexMetrics: createIndexMetrics(runtime.metrics),
    worker: randomUUID(),
    checkIntervalMs: config.index.checkIntervalMs,
    close: owners.close,
  }
}

interface IndexMetrics {
  lag: ReturnType<Metrics['histogram']>
  drift: ReturnType<Metrics['gauge']>
}

function createIndexMetrics(metrics: Metrics): IndexMetrics {
  return {
    lag: metrics.histogram(
      'search_index_lag_seconds',
      'Time from a change in the owning service until search finds it, by record type.',
      ['type'],
      [0.05, 0.1, 0.5, 1, 5, 30, 300],
    ),
    drift: metrics.gauge(
      'search_index_drift_documents',
      'Documents that differed from the owning service in the last verification of the index, by record type.',
      undefined,
      ['type'],
    ),
  }
}

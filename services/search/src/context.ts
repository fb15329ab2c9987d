import { randomUUID } from 'node:crypto'
import type { Handlers } from '@storekeep/common/grpc'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import type { Runtime } from '@storekeep/common/service'
import type { SearchService } from '@storekeep/proto/search/v1/search_service'
import { createOwners, type Owners } from './adapters/owners.ts'
import type { SearchConfig } from './config.ts'
import { createMeasures, type Measures } from './measures.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  owners: Owners
  /** For what may take long: making an index, above all. */
  bulk: Database
  measures: Measures
  /** Tells this process from others that may build the same index. */
  worker: string
  checkIntervalMs: number
  /** Closes the connections to other services. */
  closeClients(): Promise<void>
}

/** The handlers of this service, one per rpc. */
export type SearchHandlers = Handlers<typeof SearchService>

export function createContext(runtime: Runtime, config: SearchConfig): AppContext {
  const owners = createOwners(config.owners, runtime)
  const { url } = config.database
  const bulk = createDatabase({
    url,
    applicationName: 'search-bulk',
    poolSize: 2,
    statementTimeoutMs: 3_600_000,
    log: runtime.log,
  })
  return {
    ...runtime,
    owners,
    bulk,
    measures: createMeasures(runtime.metrics),
    worker: randomUUID(),
    checkIntervalMs: config.index.checkIntervalMs,
    async closeClients() {
      owners.close()
      await bulk.close()
    },
  }
}

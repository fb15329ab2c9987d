import type { Metrics } from '../telemetry/index.ts'

/** Exports size, usage and waiting requests of connection pools, under the names of OpenTelemetry. */
export function exportPools(metrics: Metrics, pools: Readonly<Record<string, PoolState>>): void {
  const all = Object.entries(pools)
  metrics.gauge(
    'db_client_connection_count',
    'Postgres connections, by pool and state.',
    () =>
      all.flatMap(([name, pool]) => [
        { labels: { [poolName]: name, [connectionState]: 'idle' }, value: pool.idleCount },
        { labels: { [poolName]: name, [connectionState]: 'used' }, value: pool.totalCount - pool.idleCount },
      ]),
    [poolName, connectionState],
  )
  metrics.gauge(
    'db_client_connection_max',
    'Maximum number of Postgres connections of a pool.',
    () => all.map(([name, pool]) => ({ labels: { [poolName]: name }, value: pool.options.max })),
    [poolName],
  )
  metrics.gauge(
    'db_client_connection_pending_requests',
    'Transactions or scans waiting for a Postgres connection, by pool.',
    () => all.map(([name, pool]) => ({ labels: { [poolName]: name }, value: pool.waitingCount })),
    [poolName],
  )
}

const poolName = 'db_client_connection_pool_name'
const connectionState = 'db_client_connection_state'

/** The state of a `pg.Pool`. */
interface PoolState {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max: number }
}

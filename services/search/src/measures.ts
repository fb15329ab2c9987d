import type { Metrics } from '@storekeep/common/telemetry'

/** What the index tells of itself; how many events wait is told by every consumer (`consumer_lag_events`). */
export function createMeasures(metrics: Metrics): Measures {
  return {
    lag: metrics.histogram(
      'search_index_lag_seconds',
      'Time from a change in the owning service until search finds it, by record type.',
      ['type'],
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    ),
    drift: metrics.gauge(
      'search_index_drift_documents',
      'Documents that differed from the owning service in the last index check, by record type.',
      undefined,
      ['type'],
    ),
  }
}

export interface Measures {
  lag: ReturnType<Metrics['histogram']>
  drift: ReturnType<Metrics['gauge']>
}

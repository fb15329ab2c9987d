import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { standardOutput } from '../log/index.ts'

/**
 * Creates the metrics registry of a process. It does not use the library's global registry, so that several services can
 * run in one test.
 *
 * Every metric has the label `application="storekeep"`, because names such as `process_start_time_seconds` are shared with
 * other processes of the same Prometheus.
 * @param options.service value of the label `service`
 * @param options.processMetrics adds memory, CPU, event-loop delay, garbage collection and `log_lines_dropped_total`
 */
export function createMetrics(options: { service: string; processMetrics?: boolean }): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ application: 'storekeep', service: options.service })
  const registers = [registry]
  if (options.processMetrics) {
    // By default it wakes an idle process 100 times a second, which is more than half of its CPU time.
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50, gcDurationBuckets: [0.1] })
    for (const name of unusedProcessMetrics) registry.removeSingleMetric(name)
    new Counter({
      name: 'log_lines_dropped_total',
      help: 'Log lines dropped because they could not be written, for example to a full disk.',
      registers,
      collect() {
        this.reset()
        this.inc(standardOutput.dropped())
      },
    })
  }
  return {
    registry,
    counter: (name, help, labelNames = [], known = {}) => {
      const counter = new Counter({ name, help, labelNames, registers })
      for (const [label, values] of Object.entries(known))
        for (const value of values) counter.inc({ [label]: value }, 0)
      return counter
    },
    gauge: (name, help, collect, labelNames = []) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        ...(collect && {
          async collect() {
            const measured = await collect()
            if (typeof measured === 'number') return this.set(measured)
            this.reset()
            for (const { labels, value } of measured) this.set(labels, value)
          },
        }),
      }),
    histogram: (name, help, labelNames = [], buckets = secondsBuckets) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
  }
}

/** Buckets for durations in seconds, finest in the range of typical requests. Alerts use 0.5 and 1. */
const secondsBuckets = [0.0025, 0.01, 0.025, 0.1, 0.5, 1, 5]

/** Default metrics of the library that no alert and no dashboard uses, a third of the series of an idle system. */
const unusedProcessMetrics = [
  ...['size_total', 'size_used', 'size_available'].map((name) => `nodejs_heap_space_${name}_bytes`),
  ...['min', 'mean', 'stddev', 'p50', 'p90'].map((name) => `nodejs_eventloop_lag_${name}_seconds`),
  ...['resources', 'handles', 'requests'].flatMap((name) => [`nodejs_active_${name}`, `nodejs_active_${name}_total`]),
  ...['nodejs_heap_size_total_bytes', 'nodejs_external_memory_bytes', 'nodejs_version_info'],
  ...['process_cpu_user_seconds_total', 'process_cpu_system_seconds_total'],
  ...['process_virtual_memory_bytes', 'process_heap_bytes'],
]

export interface Metrics {
  registry: Registry
  /**
   * `name` ends in `_total`.
   * @param known values of its single label, which are exported as 0 from the start: `rate` ignores the first increment of a
   * counter that did not exist before
   */
  counter(
    name: string,
    help: string,
    labelNames?: readonly string[],
    known?: Readonly<Record<string, readonly string[]>>,
  ): Counter<string>
  /** `collect` is called at every scrape; label sets that it no longer returns are removed. */
  gauge(
    name: string,
    help: string,
    collect?: () => Measured | Promise<Measured>,
    labelNames?: readonly string[],
  ): Gauge<string>
  /** `name` ends in its unit, `_seconds` as a rule. */
  histogram(name: string, help: string, labelNames?: readonly string[], buckets?: number[]): Histogram<string>
}

/** A value, or one per set of labels. */
export type Measured = number | readonly { labels: Readonly<Record<string, string>>; value: number }[]

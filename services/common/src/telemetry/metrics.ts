import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The metrics of one process. One registry per process (and per test), never the library's global one, so that
 * several processes can live in one test.
 *
 * Every metric bears the label `application`, by which alerts tell our processes from others of the same Prometheus: names
 * such as `process_start_time_seconds` are everybody's.
 * @param service printed as the label `service` of every metric
 * @param processMetrics adds memory, CPU, event-loop delay and garbage collection
 */
export function createMetrics(options: { service: string; processMetrics?: boolean }): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ application: 'storekeep', service: options.service })
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
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

/** Bounds for durations in seconds, close together where requests of ours lie. */
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Metrics {
  registry: Registry
  /**
   * `name` ends in `_total`.
   * @param known values that its one label may have: these count from 0, since a counter that first appears with its
   * first event hides that event from `rate`
   */
  counter(
    name: string,
    help: string,
    labelNames?: readonly string[],
    known?: Readonly<Record<string, readonly string[]>>,
  ): Counter<string>
  /** `collect` is asked at every scrape; what it no longer tells of is gone. */
  gauge(
    name: string,
    help: string,
    collect?: () => Measured | Promise<Measured>,
    labelNames?: readonly string[],
  ): Gauge<string>
  /** `name` ends in its unit, `_seconds` as a rule. */
  histogram(name: string, help: string, labelNames?: readonly string[], buckets?: number[]): Histogram<string>
}

/** A value, or one for each set of labels. */
export type Measured = number | readonly { labels: Readonly<Record<string, string>>; value: number }[]

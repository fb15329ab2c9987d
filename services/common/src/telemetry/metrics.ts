import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The metrics of one process. One registry per process (and per test), never the library's global one, so that
 * several processes can live in one test.
 *
 * @param service printed as the label `service` of every metric
 * @param processMetrics adds memory, CPU, event-loop delay and garbage collection
 */
export function createMetrics(options: { service: string; processMetrics?: boolean }): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service: options.service })
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, collect, labelNames = []) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        ...(collect && {
          async collect() {
            this.set(await collect())
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
  /** `name` ends in `_total`. */
  counter(name: string, help: string, labelNames?: readonly string[]): Counter<string>
  /** `collect` is asked at every scrape. */
  gauge(
    name: string,
    help: string,
    collect?: () => number | Promise<number>,
    labelNames?: readonly string[],
  ): Gauge<string>
  /** `name` ends in its unit, `_seconds` as a rule. */
  histogram(name: string, help: string, labelNames?: readonly string[], buckets?: number[]): Histogram<string>
}

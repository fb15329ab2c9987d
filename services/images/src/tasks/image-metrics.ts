import type { Metrics } from '@storekeep/common/telemetry'
import { failureReasons } from '../domain/image-failure.ts'

export type ImageMetrics = ReturnType<typeof createImageMetrics>

export function createImageMetrics(metrics: Metrics) {
  return {
    fetches: metrics.counter('image_fetches_total', 'Requests for images to other hosts, by outcome.', ['outcome'], {
      outcome: ['fetched', 'unchanged', ...failureReasons],
    }),
    requests: metrics.counter(
      'image_requests_total',
      'Requests for copies of images, by whether there is one. `unknown`: no record names the image.',
      ['outcome'],
      { outcome: ['copy', 'no_copy', 'unknown'] },
    ),
    ignored: metrics.counter(
      'image_sources_ignored_total',
      'Images of records that were ignored because their store has too many.',
    ),
    sources: metrics.gauge('image_sources', 'Images that records of all stores name.'),
    bytes: metrics.gauge('image_storage_bytes', 'Size of all copies in the database, with indexes.'),
  }
}

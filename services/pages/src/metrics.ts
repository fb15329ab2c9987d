import { createHttpMetrics, type HttpMetrics } from '@storekeep/common/http'
import type { Counter } from '@storekeep/common/telemetry'

/** Every metric of the pages. */
export function createPagesMetrics(): PagesMetrics {
  const http = createHttpMetrics('pages', [
    'address',
    'form-address',
    'form-token',
    'unknown-token',
    'image-address',
    'sign-in-address',
    'sign-in-name',
    'sign-in-store',
    'search-address',
    'webhook-address',
    'webhook-store',
  ])
  const cspReports = http.metrics.counter(
    'csp_reports_total',
    'Violations of the content security policy that browsers reported.',
  )
  return { ...http, cspReports }
}

export interface PagesMetrics extends HttpMetrics {
  cspReports: Counter
}

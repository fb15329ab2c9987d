import { activeSpan, attributes, endWith, type Span, startSpan } from '../telemetry/index.ts'
import { readText } from './read-text.ts'

/**
 * Fetches a small JSON document from an untrusted server, limited in time and size. Redirects count as failures.
 *
 * @returns undefined for status 204 or 404
 * @throws Error for anything else but a 200 with JSON
 */
export function fetchJson(url: URL, options: FetchOptions): Promise<unknown> {
  const parent = activeSpan()
  // Path and query can hold ids of people and API keys, so they stay out of the span. No trace context is propagated.
  const spanAttributes = { [attributes.httpRequestMethod]: 'GET', [attributes.serverAddress]: url.hostname }
  const span = parent && startSpan('GET', 'client', parent.context, spanAttributes)
  return span ? endWith(span, () => get(url, options, span)) : get(url, options)
}

async function get(url: URL, { timeoutMs, maxBytes = 65_536 }: FetchOptions, span?: Span): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  span?.set({ [attributes.httpResponseStatusCode]: response.status })
  try {
    if (response.status === 204 || response.status === 404) return undefined
    if (response.status !== 200) throw new Error(`the provider returned status ${response.status}`)
    return JSON.parse(await readText(response, maxBytes))
  } finally {
    // Releases the connection without reading the rest.
    await response.body?.cancel().catch(() => {})
  }
}

export interface FetchOptions {
  /** Includes reading the body. */
  timeoutMs: number
  maxBytes?: number
}

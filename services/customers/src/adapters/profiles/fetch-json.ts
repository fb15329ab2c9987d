import { activeSpan, attributes, endWith, type Span, startSpan } from '@storekeep/common/telemetry'

/**
 * Gets a small JSON document from a server that we do not trust: within a time-out, at most `maxBytes` of it, and
 * from nowhere else, since a redirect is taken for a failure.
 *
 * @returns undefined for an empty or a 404 answer
 * @throws Error for everything else that is not a 200 with JSON
 */
export function fetchJson(url: URL, options: FetchOptions): Promise<unknown> {
  const parent = activeSpan()
  // Neither path nor query, which hold players and a key; and no context goes out to others.
  const about = { [attributes.httpRequestMethod]: 'GET', [attributes.serverAddress]: url.hostname }
  const span = parent && startSpan('GET', 'client', parent.context, about)
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
    if (response.status !== 200) throw new Error(`The provider answered ${response.status}.`)
    return JSON.parse(await readText(response, maxBytes))
  } finally {
    // What was not read is not waited for.
    await response.body?.cancel().catch(() => {})
  }
}

export interface FetchOptions {
  /** For the whole of it, the body included. */
  timeoutMs: number
  maxBytes?: number
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || !value) break
      size += value.byteLength
      if (size > maxBytes) throw new Error(`The provider answered more than ${maxBytes} bytes.`)
      chunks.push(value)
    }
  } finally {
    reader?.releaseLock()
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

import type { RequestContext } from '@storekeep/common/http'

/** Sends the response; without a body when `body` is undefined. */
export function sendJson(request: RequestContext, status: number, body?: unknown): void {
  if (body === undefined) {
    request.send(status)
    return
  }
  const text = JSON.stringify(body)
  request.res.setHeader('content-type', 'application/json')
  // Node writes a short text together with the headers; a long one is cheaper to convert once.
  request.send(status, text.length <= shortLength ? text : Buffer.from(text))
}

const shortLength = 4096

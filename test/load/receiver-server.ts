import { createServer, type IncomingMessage } from 'node:http'
import type { BanBody } from '@storekeep/test/kit'

/**
 * Receives webhooks of bans in a separate process, so its CPU time and delays do not count as the benchmark's.
 * `GET /` returns the receipts since the last call, in order of arrival.
 */
let receipts: Receipt[] = []

createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(receipts))
    receipts = []
    return
  }
  const { timestamp, data } = JSON.parse(await bodyOf(request)) as { timestamp: string; data: BanBody }
  receipts.push({ banId: data.id, reason: data.reason, changedAt: Date.parse(timestamp), receivedAt: Date.now() })
  response.writeHead(204).end()
}).listen(Number(process.env.PORT), '127.0.0.1')

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

/** A request with the state of a ban. Times are in ms since 1970. */
export interface Receipt {
  banId: string
  reason: string
  /** The `timestamp` of the event. */
  changedAt: number
  receivedAt: number
}

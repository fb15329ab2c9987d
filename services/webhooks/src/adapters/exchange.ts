import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { http } from '@storekeep/common/net'
import type { Target } from '../endpoints/domain/target.ts'
import { RequestFailure } from './failure.ts'

export interface ExchangeRequest {
  target: Target
  /** The addresses that the connection may use. */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

export interface ReceivedResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends a request, once, and reads the response, up to the limits. If the receiver has closed an idle connection, the request is not
 * sent again on a new one, because the receiver may have processed it: the next attempt of the delivery does that.
 * @throws RequestFailure, or an error of node:http
 */
export async function exchange(request: ExchangeRequest, agent: Agent): Promise<ReceivedResponse> {
  const { target, addresses, headers, body, signal } = request
  signal.throwIfAborted()
  const isHttps = target.url.protocol === 'https:'
  const outgoing = (isHttps ? https : http).request(target.url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent,
    lookup: lookupAmong(addresses),
    maxHeaderSize,
    signal,
    ...(isHttps && isIP(target.host) === 0 && { servername: target.host }),
  })
  return await readResponse(await send(outgoing, body), signal)
}

/** Instead of DNS, so that the connection goes to an address that was checked. node:net calls it only for names. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
}

function send(outgoing: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    // After `response` and `error`, or alone, as for a response with the status 101.
    outgoing.once('close', () => reject(noResponse))
    outgoing.end(body)
  })
}

const noResponse = new RequestFailure('protocol', 'The receiver sent no response.')

async function readResponse(incoming: IncomingMessage, signal: AbortSignal): Promise<ReceivedResponse> {
  const { statusCode = 0, headers } = incoming
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk)
      length += chunk.length
      // Closes the connection.
      if (length > maxBodyBytes) break
    }
  } catch (error) {
    if (signal.aborted && failedByTime(signal)) throw tooSlow
    throw error
  }
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    // `stream` leaves out a character that the limit cuts in two.
    body: new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBodyBytes), { stream: true }),
  }
}

function failedByTime({ reason }: AbortSignal): boolean {
  return reason instanceof RequestFailure && reason.reason === 'timeout'
}

const tooSlow = new RequestFailure('too-slow', 'The receiver did not finish its response in time.')

const maxBodyBytes = 4096
const maxHeaderSize = 16 * 1024

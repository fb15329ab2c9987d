import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { http } from '../net/index.ts'
import type { Target } from '../targets/index.ts'
import { RequestFailure } from './request-failure.ts'

export interface ExchangeRequest {
  target: Target
  /** The addresses that the connection may use. */
  addresses: readonly string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** Empty for GET. */
  body: string
  /** Bytes of the response's body to read. */
  maxBodyBytes: number
  signal: AbortSignal
}

export interface ReceivedResponse {
  status: number
  headers: Record<string, string>
  /** The first bytes, up to the limit. */
  body: Buffer
  /** Whether the body is longer than the limit. */
  isCut: boolean
}

/**
 * Sends a request, once, and reads the response, up to the limits. If the receiver has closed an idle connection, the request is not
 * sent again on a new one, because the receiver may have processed it: whether to repeat it is up to the caller.
 * @throws RequestFailure, or an error of node:http
 */
export async function exchange(request: ExchangeRequest, agent: Agent): Promise<ReceivedResponse> {
  const { target, addresses, method, headers, body, maxBodyBytes, signal } = request
  signal.throwIfAborted()
  const isHttps = target.url.protocol === 'https:'
  const outgoing = (isHttps ? https : http).request(target.url, {
    method,
    headers: { ...headers, ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }) },
    agent,
    lookup: lookupAmong(addresses),
    maxHeaderSize,
    signal,
    ...(isHttps && isIP(target.host) === 0 && { servername: target.host }),
  })
  return await readResponse(await send(outgoing, body), maxBodyBytes, signal)
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

async function readResponse(
  incoming: IncomingMessage,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
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
    body: Buffer.concat(chunks).subarray(0, maxBodyBytes),
    isCut: length > maxBodyBytes,
  }
}

function failedByTime({ reason }: AbortSignal): boolean {
  return reason instanceof RequestFailure && reason.reason === 'timeout'
}

const tooSlow = new RequestFailure('too-slow', 'The receiver did not finish its response in time.')

const maxHeaderSize = 16 * 1024

import type { IncomingMessage } from 'node:http'
import { errors, ServiceFault } from '../errors/index.ts'
import type { Counter } from '../telemetry/index.ts'
import { RateLimited } from './rate-limited.ts'

/**
 * Reads request bodies, and bounds the memory that unfinished ones occupy over all connections. When the bound is reached, the
 * client that occupies most loses its oldest body, so that one client cannot take the share of the others.
 *
 * @param options.maxBytes of all unfinished bodies
 * @param options.limited counts the rejected bodies, as the policy `unfinished-bodies`
 */
export function createBodyReader({ maxBytes, limited }: BodyReaderOptions): BodyReader {
  const clients = new Map<string, Client>()
  let total = 0

  function open(key: string, evict: (fault: ServiceFault) => void): UnfinishedBody {
    const client = clients.get(key) ?? new Client(key)
    clients.set(key, client)
    const body = new UnfinishedBody(client, evict)
    client.bodies.add(body)
    return body
  }

  function close(body: UnfinishedBody): void {
    const { client } = body
    if (!client.bodies.delete(body)) return
    client.bytes -= body.capacity
    total -= body.capacity
    if (client.bodies.size === 0) clients.delete(client.key)
  }

  function append(body: UnfinishedBody, chunk: Buffer): void {
    const added = body.append(chunk)
    body.client.bytes += added
    total += added
    while (total > maxBytes) evictOldest()
  }

  function evictOldest(): void {
    let largest: Client | undefined
    for (const client of clients.values()) if (largest === undefined || client.bytes > largest.bytes) largest = client
    const [oldest] = largest?.bodies ?? []
    limited.inc({ policy: 'unfinished-bodies' })
    oldest?.evict(new RateLimited(1))
  }

  return {
    read: (req, { limitBytes, client }) =>
      new Promise((resolve, reject) => {
        let whole: Buffer | undefined
        let body: UnfinishedBody | undefined
        req.on('data', read).on('end', end).on('error', fail).on('close', fail)

        function read(chunk: Buffer): void {
          if (body === undefined && whole === undefined && chunk.length === Number(req.headers['content-length'])) {
            if (chunk.length > limitBytes) rejectTooLarge()
            else whole = chunk
            return
          }
          body ??= open(client(), evict)
          if (body.length + chunk.length > limitBytes) rejectTooLarge()
          else append(body, chunk)
        }
        function end(): void {
          settle()
          resolve(whole ?? body?.bytes() ?? Buffer.alloc(0))
        }
        function fail(): void {
          settle()
          reject(errors.badRequest('The connection closed before the body was complete.'))
        }
        function rejectTooLarge(): void {
          settle()
          discardRest(req)
          reject(payloadTooLarge(limitBytes))
        }
        /** Reading on would only fill the memory with buffers to collect: the response closes the connection. */
        function evict(fault: ServiceFault): void {
          settle()
          req.pause()
          reject(fault)
        }
        function settle(): void {
          req.off('data', read).off('end', end).off('error', fail).off('close', fail)
          if (body !== undefined) close(body)
        }
      }),
  }
}

/** A client with unfinished bodies. */
class Client {
  readonly key: string
  bytes = 0
  /** In the order in which they began. */
  readonly bodies = new Set<UnfinishedBody>()

  constructor(key: string) {
    this.key = key
  }
}

/** Copies the bytes into blocks: a chunk of one byte would keep the whole read of its connection, up to 64 KiB, in memory. */
class UnfinishedBody {
  readonly client: Client
  readonly evict: (fault: ServiceFault) => void
  length = 0
  /** Of all blocks. */
  capacity = 0
  readonly #blocks: Buffer[] = []

  constructor(client: Client, evict: (fault: ServiceFault) => void) {
    this.client = client
    this.evict = evict
  }

  /** @returns by how much the capacity has grown */
  append(chunk: Buffer): number {
    const before = this.capacity
    let copied = 0
    while (copied < chunk.length) {
      if (this.length === this.capacity) {
        const block = Buffer.allocUnsafeSlow(this.capacity === 0 ? 4096 : 65_536)
        this.#blocks.push(block)
        this.capacity += block.length
      }
      const last = this.#blocks.at(-1) as Buffer
      const count = chunk.copy(last, last.length - (this.capacity - this.length), copied)
      copied += count
      this.length += count
    }
    return this.capacity - before
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks, this.length)
  }
}

/** @param limitBytes a multiple of 1024 */
export function payloadTooLarge(limitBytes: number): ServiceFault {
  return new ServiceFault('payload-too-large', `The body exceeds the limit of ${limitBytes / 1024} KiB.`)
}

/**
 * Reads and drops the rest of a body that was rejected, so that the client receives the response instead of a connection reset. Closes
 * the connection after 8 MiB.
 */
export function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return
  let discarded = 0
  req.on('error', () => {})
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > maxDiscardedBytes) req.socket.destroy()
  })
  req.resume()
}

const maxDiscardedBytes = 8 * 1024 * 1024

export interface BodyReader {
  /**
   * @param options.limitBytes a multiple of 1024
   * @param options.client whose share an unfinished body counts against, such as an address; called only if the body does not arrive
   * in one piece
   * @throws ServiceFault `payload-too-large`, `too-many-requests` (RateLimited) when unfinished bodies occupy too much, after which the
   * response must close the connection; `bad-request`
   * if the connection closes first
   */
  read(req: IncomingMessage, options: { limitBytes: number; client: () => string }): Promise<Buffer>
}

interface BodyReaderOptions {
  maxBytes: number
  limited: Counter
}

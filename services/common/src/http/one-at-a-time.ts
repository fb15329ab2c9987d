import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Handles the requests of a connection one after another, each when the response to the previous one is sent. Requests that
 * must wait are not parsed. Node would parse and start everything that a client sends ahead, and keep each response
 * in memory until the client has read the earlier ones.
 */
export function oneAtATime(handle: RequestListener): OneAtATime {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket) ?? { isBusy: false, waiting: [] }
    connections.set(socket, known)
    return known
  }

  function start(connection: Connection, req: IncomingMessage, res: ServerResponse): void {
    connection.isBusy = true
    res.once('close', () => startNext(connection))
    handle(req, res)
  }

  function startNext(connection: Connection): void {
    connection.isBusy = false
    const [req, res] = connection.waiting.shift() ?? []
    if (!req || !res) return
    if (connection.waiting.length === 0) req.socket.resume()
    // After `Connection: close` and on a closed connection, Node gives the next response no socket.
    if (res.socket) start(connection, req, res)
    else connection.waiting.length = 0
  }

  return {
    accept(socket) {
      const { waiting } = connectionOf(socket)
      parseInSlices(socket, () => waiting.length === 0)
    },
    handle(req, res) {
      const connection = connectionOf(req.socket)
      if (connection.isBusy) connection.waiting.push([req, res])
      else start(connection, req, res)
    },
  }
}

/**
 * Gives the bytes of a connection to Node's HTTP parser in small slices, each only if `wantsMore`. Node would parse
 * everything that has arrived, up to 64 KiB: a few kilobytes of memory for each of thousands of requests. Pausing the
 * connection would not stop that, and Node resumes it after each request.
 */
function parseInSlices(socket: Socket, wantsMore: () => boolean): void {
  const [parse, ...others] = socket.listeners('data')
  if (parse === undefined || others.length > 0)
    throw new Error('Node reads HTTP connections differently than expected.')
  socket.off('data', parse as (chunk: Buffer) => void)
  socket.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (!wantsMore()) {
      socket.pause()
      socket.unshift(chunk)
      return
    }
    // Ends with the head of a request, because the time for the rest of it would run while the connection is paused.
    const end = chunk.indexOf(endOfHead, sliceBytes - endOfHead.length)
    const length = end < 0 ? chunk.length : end + endOfHead.length
    parse.call(socket, chunk.subarray(0, length))
    // The rest arrives here again: at once, or when the connection is resumed.
    if (length < chunk.length && !socket.destroyed) socket.unshift(chunk.subarray(length))
  })
}

/** Minimum size. Most requests fit into it; it can contain up to 113 minimal ones. */
const sliceBytes = 2048
const endOfHead = '\r\n\r\n'

export interface OneAtATime {
  /** Call when the server has set up the connection. */
  accept(socket: Socket): void
  readonly handle: RequestListener
}

interface Connection {
  isBusy: boolean
  /** Requests that were parsed in the same slice as the current one. */
  readonly waiting: [IncomingMessage, ServerResponse][]
}

import { Socket } from 'node:net'
import type pg from 'pg'

/** The socket of a client; a TLS socket if it uses TLS. */
export function streamOf(client: pg.ClientBase): Socket | undefined {
  if (!('connection' in client && client.connection instanceof Object && 'stream' in client.connection))
    return undefined
  return client.connection.stream instanceof Socket ? client.connection.stream : undefined
}

import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { requestCancellation } from './cancel-request.ts'

describe('a cancel request over TLS', () => {
  it('fails if the server closes the connection instead of starting TLS', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('The server has no port.')
      await expect(requestCancellation(tlsClient(address.port))).rejects.toThrow()
    } finally {
      server.close()
    }
  })
})

/** A client as it is while it is connected to the port over TLS. */
function tlsClient(port: number): pg.PoolClient {
  const stream = () => new TLSSocket(new Socket())
  const client = new pg.Client({ host: '127.0.0.1', port, ssl: { rejectUnauthorized: false }, stream })
  return Object.assign(client, { processID: 1, secretKey: 2, release: () => {} })
}

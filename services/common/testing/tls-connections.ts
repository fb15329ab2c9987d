import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import * as tls from 'node:tls'
import type { Certificate } from './authority.ts'

/** A proxy to the port that counts its connections. */
export async function countConnections(target: number): Promise<{ port: number; count(): number; close(): void }> {
  let count = 0
  const between = createServer((near) => {
    count += 1
    const far = connect(target, '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  return { port: (between.address() as AddressInfo).port, count: () => count, close: () => between.close() }
}

/** Completes a TLS handshake. In TLS 1.3 the server rejects a client only after the client's side of the handshake. */
export async function handshake(port: number, as: Certificate | undefined, more: tls.ConnectionOptions = {}) {
  const socket = tls.connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ...as,
    ALPNProtocols: ['h2'],
    ...more,
  })
  try {
    // In HTTP/2 the server sends the first data once it has accepted the client.
    const closed = once(socket, 'close').then(() => Promise.reject(new Error('rejected')))
    await Promise.race([once(socket, 'data'), closed])
    const { serialNumber } = socket.getPeerCertificate()
    return { version: socket.getProtocol(), serialNumber }
  } finally {
    socket.destroy()
  }
}

export function serialOf({ cert }: Certificate): string {
  return new X509Certificate(cert).serialNumber
}

import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * Probes a server with a text protocol: sends the request and returns the response once it matches. Rejects if the connection
 * fails or closes, or after 5 s without a response.
 */
export function converse(server: TextServer, request: string, expected: RegExp): Promise<string> {
  const { host = '127.0.0.1', port, isTls = false } = server
  return new Promise((resolve, reject) => {
    const socket: Socket = isTls ? connectTls({ host, port, servername: host }) : connectPlain({ host, port })
    let response = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no response within 5 s')))
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1')
      if (!expected.test(response)) return
      socket.destroy()
      resolve(response)
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed without a response')))
    if (request !== '') socket.write(request)
  })
}

interface TextServer {
  /** Default: this machine. */
  host?: string
  port: number
  isTls?: boolean
}

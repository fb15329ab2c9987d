import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { systemClock } from '@storekeep/common/clock'
import type { RequesterOptions } from '@storekeep/common/outgoing'
import { onTestFinished } from 'vitest'
import { createSender, type OutgoingRequest } from '../src/adapters/send-request.ts'

export const everything = ['0.0.0.0/0', '::/0']

/** Far longer than any response takes on a busy machine. */
export const patient = 60_000

export function sender(options: Partial<RequesterOptions> = {}) {
  const made = createSender({ allowHttp: true, allowedNetworks: ['127.0.0.1/32'], clock: systemClock, ...options })
  onTestFinished(() => made.close())
  return (url: string, fields: Partial<OutgoingRequest> = {}) =>
    made.send({ url, headers: { 'x-test': '1' }, body: '{"a":"ä"}', timeoutMs: patient, ...fields })
}

export async function listen(server: Server | ReturnType<typeof createTcpServer>, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

/** A receiver for one test. */
export async function receiver(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${await listen(server)}/hook`
}

/** A receiver that speaks TCP. */
export async function rawReceiver(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => handle(socket))
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${await listen(server)}/hook`
}

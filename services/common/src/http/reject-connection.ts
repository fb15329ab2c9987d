import type { Socket } from 'node:net'
import { errors, ServiceFault } from '../errors/index.ts'

/**
 * Creates the listener for what Node itself rejects: bytes that are no valid request, or do not arrive in time.
 * @param render creates the body of the response
 */
export function rejectConnection(render: RenderRejection): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const { status, text, fault } = responseTo(error.code)
    const { type, body } = render(fault, status)
    socket.end(
      `HTTP/1.1 ${status} ${text}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `cache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
    )
    // Closing it immediately could discard the response. A client that keeps its side open must not keep the socket.
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

export type RenderRejection = (fault: ServiceFault, status: number) => { type: string; body: string }

const lingerMs = 1_000

function responseTo(code: string | undefined): { status: number; text: string; fault: ServiceFault } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        text: 'Request Header Fields Too Large',
        fault: errors.badRequest('The request headers exceed 16 KiB.'),
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'Request Timeout', fault: errors.badRequest('The request did not arrive in time.') }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        text: 'Payload Too Large',
        fault: new ServiceFault('payload-too-large', 'The chunk extensions are too long.'),
      }
    default:
      return { status: 400, text: 'Bad Request', fault: errors.badRequest('The request is not valid HTTP.') }
  }
}

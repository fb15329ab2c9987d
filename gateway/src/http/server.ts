import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { errors, type ServiceFault } from '@storekeep/common/errors'
import { createHttpServer, guardConnections, http, payloadTooLarge } from '@storekeep/common/http'
import type { Express } from 'express'
import type { GatewayContext } from '../context.ts'
import { faultToHttp } from '../errors/fault-to-http.ts'
import { defaultBodyLimitBytes } from './endpoint.ts'

/** The HTTP server around the app. Requests that Node itself rejects get a ServiceError too. */
export function createServer(app: Express, ctx: Pick<GatewayContext, 'config' | 'metrics'>): Server {
  const server = createHttpServer(ctx.config.connections, {
    ...requestClasses(app),
    // `checkHeaders` responds with a ServiceError instead.
    requireHostHeader: false,
  })
  const handle = guardConnections(server, app, ctx)
  // `readBody` sends the 100 once the body is wanted.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle)
  server.on('clientError', rejectConnection)
  return server
}

/**
 * Express replaces the prototype of every request and response, which makes V8 deoptimise them. Creating them with that
 * prototype turns the step into a no-op and halves the CPU time of Express.
 *
 * NOTE They must be classes: V8 reserves room for the many fields of a subclass, but not for those of a function with
 * another prototype.
 */
function requestClasses(app: Express) {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  app.request = withPropertiesOf(app.request, AppRequest.prototype)
  app.response = withPropertiesOf(app.response, AppResponse.prototype)
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}

/** Gives `prototype` the properties of an object of Express. */
function withPropertiesOf<T extends object>(given: T, prototype: object): T {
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(given))
  return Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(given)) as T
}

function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, text, fault } = responseTo(error.code)
  const { body } = faultToHttp(fault, randomBytes(16).toString('hex'))
  const bytes = Buffer.from(JSON.stringify({ ...body, status }))
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n` +
      `cache-control: no-store\r\nconnection: close\r\n\r\n${bytes}`,
  )
  // Closing at once could discard the response. A client that keeps its side open must not keep the socket.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

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
      return { status: 413, text: 'Payload Too Large', fault: payloadTooLarge(defaultBodyLimitBytes) }
    default:
      return { status: 400, text: 'Bad Request', fault: errors.badRequest('The request is not valid HTTP.') }
  }
}

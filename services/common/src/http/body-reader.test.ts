import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ServiceFault } from '../errors/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { createBodyReader } from './body-reader.ts'

const KiB = 1024
const limitBytes = 64 * KiB
let server: Server
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

/** Responds with the length of the body, or with the code of the fault. The client is named in a header. */
async function serve(maxBytes: number): Promise<void> {
  const limited = createMetrics({ service: 'test' }).counter('limited_total', 'Rejected.', ['policy'])
  const reader = createBodyReader({ maxBytes, limited })
  server = createServer((req, res) => {
    reader.read(req, { limitBytes, client: () => String(req.headers['x-client']) }).then(
      (body) => res.end(`${body.length} ${body.subarray(0, 3)}`),
      (fault) => res.end(fault instanceof ServiceFault ? fault.code : String(fault)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
}

/** Sends a request whose body has `announced` bytes, of which `sent` arrive. */
async function send(client: string, { announced = limitBytes, sent = 0 }) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  let output = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nx-client: ${client}\r\ncontent-length: ${announced}\r\n\r\n`)
  socket.write('x'.repeat(sent))
  return {
    socket,
    response: async () => {
      while (!/\r\n\r\n.*$/s.test(output)) await once(socket, 'data')
      return output.split('\r\n').at(-1)
    },
    hasResponse: () => output !== '',
  }
}

describe('request bodies', () => {
  it('are read in one piece and in many, also while others are unfinished', async () => {
    await serve(4 * limitBytes)
    expect(await (await send('a', { announced: 10, sent: 10 })).response()).toBe('10 xxx')
    const slow = await send('a', { announced: 40 * KiB, sent: 20 * KiB })
    const other = await send('b', { announced: 40 * KiB, sent: 40 * KiB })
    expect(await other.response()).toBe(`${40 * KiB} xxx`)
    for (let sent = 20 * KiB; sent < 40 * KiB; sent += KiB) slow.socket.write('y'.repeat(KiB))
    expect(await slow.response()).toBe(`${40 * KiB} xxx`)
  })

  it('bodies above the limit of the endpoint are rejected', async () => {
    await serve(4 * limitBytes)
    expect(await (await send('a', { announced: limitBytes + 1, sent: limitBytes + 1 })).response()).toBe(
      'payload-too-large',
    )
  })

  it('once all bodies exceed the bound, the client that occupies most loses its oldest body', async () => {
    await serve(4 * limitBytes)
    const small = await send('small', { sent: 8 * KiB })
    const large = []
    for (let count = 0; count < 8; count += 1) large.push(await send('large', { sent: limitBytes - 1 }))
    expect(await large[0]?.response()).toBe('too-many-requests')
    await Promise.all(large.slice(0, 4).map(async (one) => expect(await one.response()).toBe('too-many-requests')))
    small.socket.write('x'.repeat(56 * KiB))
    expect(await small.response()).toBe(`${limitBytes} xxx`)
    const [last] = large.slice(-1)
    last?.socket.write('x')
    expect(await last?.response()).toBe(`${limitBytes} xxx`)
  })

  it('are all kept without a bound (negative control)', async () => {
    await serve(Number.POSITIVE_INFINITY)
    const large = []
    for (let count = 0; count < 8; count += 1) large.push(await send('large', { sent: limitBytes - 1 }))
    await (await send('other', { announced: 1, sent: 1 })).response()
    expect(large.filter((one) => one.hasResponse())).toEqual([])
  })

  it('a client that disconnects leaves room for others', async () => {
    await serve(2 * limitBytes)
    const gone = await send('a', { sent: limitBytes - 1 })
    const closed = once(gone.socket, 'close')
    gone.socket.destroy()
    await closed
    const [one, two] = [await send('b', { sent: limitBytes - 1 }), await send('c', { sent: limitBytes - 1 })]
    for (const { socket } of [one, two]) socket.write('x')
    expect([await one.response(), await two.response()]).toEqual([`${limitBytes} xxx`, `${limitBytes} xxx`])
  })
})

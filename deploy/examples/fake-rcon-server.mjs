// A game server that only has a console: it prints the commands that it receives over RCON. For trying rcon-bridge.mjs without a
// game:
//
//   node fake-rcon-server.mjs
//   RCON_PORT=25575 RCON_PASSWORD=storekeep PLAYERS=Robin,Kim node fake-rcon-server.mjs
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Types of RCON packets. A response to a login has the type of a command. */
const packet = { login: 3, command: 2, response: 0 }

/**
 * @param {object} options
 * @param {string} options.password
 * @param {number} [options.port] 0, the default, for any free one
 * @param {(command: string) => string | undefined} options.onCommand returns the response; undefined breaks the connection
 * @param {'minecraft' | 'source'} [options.game] Source servers send an empty response before the result of a login
 */
export async function startFakeRconServer({ password, port = 0, onCommand, game = 'minecraft' }) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let isLoggedIn = false
    let received = Buffer.of()
    socket.on('data', (/** @type {Buffer} */ chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 4 && received.length >= 4 + received.readInt32LE(0)) {
        const size = 4 + received.readInt32LE(0)
        const [id, type, text] = [
          received.readInt32LE(4),
          received.readInt32LE(8),
          received.toString('utf8', 12, size - 2),
        ]
        received = received.subarray(size)
        if (type === packet.login) {
          isLoggedIn = text === password
          if (game === 'source') socket.write(encode(id, packet.response, ''))
          socket.write(encode(isLoggedIn ? id : -1, packet.command, ''))
          continue
        }
        const response = isLoggedIn ? onCommand(text) : undefined
        if (response === undefined) return void socket.destroy()
        socket.write(encode(id, packet.response, response))
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * @param {number} id
 * @param {number} type
 * @param {string} text
 */
function encode(id, type, text) {
  const body = Buffer.from(text)
  const encoded = Buffer.alloc(14 + body.length)
  encoded.writeInt32LE(10 + body.length, 0)
  encoded.writeInt32LE(id, 4)
  encoded.writeInt32LE(type, 8)
  body.copy(encoded, 12)
  return encoded
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { RCON_PORT = '25575', RCON_PASSWORD = 'storekeep', PLAYERS = 'Robin,Kim' } = process.env
  const players = PLAYERS.split(',').filter(Boolean)
  const { port } = await startFakeRconServer({
    password: RCON_PASSWORD,
    port: Number(RCON_PORT),
    onCommand(command) {
      if (command === 'list') {
        return `There are ${players.length} of a max of 20 players online: ${players.join(', ')}`
      }
      console.log(command)
      return 'Done'
    },
  }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error
    console.error(`Port ${RCON_PORT} is in use. Set RCON_PORT to another one, here and for the bridge.`)
    process.exit(1)
  })
  console.log(`The fake game server listens on port ${port}, with the password "${RCON_PASSWORD}". Commands:`)
}

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { pipeline } from 'node:stream'
import { createServer } from 'node:tls'

/** Terminates TLS in front of the gateway, as an ingress does, in a separate process so that its CPU time can be told apart. */
const { CERT_FILE = '', KEY_FILE = '', PORT, TARGET_PORT } = process.env
const identity = { cert: readFileSync(CERT_FILE), key: readFileSync(KEY_FILE) }

createServer(identity, (socket) => {
  const target = connect(Number(TARGET_PORT), '127.0.0.1')
  // Either side may end the connection.
  const ignore = () => undefined
  pipeline(socket, target, ignore)
  pipeline(target, socket, ignore)
}).listen(Number(PORT), '127.0.0.1')

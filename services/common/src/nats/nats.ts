import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { type NatsConfig, parseNatsUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'

export interface NatsOptions extends NatsConfig {
  /** Shown in the server's list of connections, and part of its inbox, the only subject a service may subscribe to. */
  name: string
  log: Logger
}

/**
 * The connection to NATS, restored in the background without limit. Only the relay and the consumers depend on it; while
 * NATS is unavailable, events collect in the outbox.
 */
export interface Nats {
  /** As in `NatsOptions`. */
  readonly name: string
  /** The open connection; undefined while NATS is unavailable. */
  connection(): NatsConnection | undefined
  /** Increased by every connect and reconnect: the server may have restarted in between. */
  generation(): number
  /** Calls `listener` after every connect and reconnect. */
  onConnect(listener: () => void): void
  /** Flushes buffered messages, for up to 2 s, and closes. */
  close(): Promise<void>
}

/**
 * Connects to one of the servers, and to another one when that fails. Reads the files of credentials and certificates for each
 * connection, so that they can be rotated.
 */
export function createNats({ name, log, ...config }: NatsOptions): Nats {
  const listeners: (() => void)[] = []
  let current: NatsConnection | undefined
  let usable = false
  let generation = 0
  let closing = false
  const stop = new AbortController()

  function setUsable(now: boolean): void {
    if (usable === now) return
    usable = now
    if (now) {
      generation += 1
      log.info('nats connected')
      for (const listener of listeners) listener()
    } else if (!closing) {
      log.warn('nats disconnected: events stay in the outbox')
    }
  }

  /** The client reconnects by itself, but gives up on some errors, such as rejected credentials. */
  async function keepConnected(): Promise<void> {
    let hasLoggedFailure = false
    for (let attempt = 0; !closing; attempt += 1) {
      try {
        current = await connect({ ...connectOptions(config), name, inboxPrefix: `_INBOX.${name}` })
        if (closing) return await current.close()
        attempt = 0
        hasLoggedFailure = false
        setUsable(true)
        await follow(current, setUsable)
      } catch (error) {
        if (!hasLoggedFailure) log.warn({ err: error }, 'nats connection failed: retrying')
        hasLoggedFailure = true
      }
      setUsable(false)
      const delayMs = Math.min(100 * 2 ** attempt, 2000)
      await sleep(delayMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }
  void keepConnected()

  return {
    name,
    connection: () => (usable && current && !current.isClosed() ? current : undefined),
    generation: () => generation,
    onConnect: (listener) => void listeners.push(listener),
    async close() {
      closing = true
      stop.abort()
      if (!current || current.isClosed()) return
      if (usable) await Promise.race([current.flush().catch(() => {}), sleep(2000, undefined, { ref: false })])
      await current.close()
    },
  }
}

/**
 * Tracks the status of a connection until it is closed permanently.
 * @throws the error because of which the client gave up
 */
async function follow(connection: NatsConnection, setUsable: (usable: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') setUsable(false)
    if (type === 'reconnect') setUsable(true)
  }
  const reason = await connection.closed()
  if (reason) throw reason
}

function connectOptions(config: NatsConfig): NodeConnectionOptions {
  const { scheme, hosts } = parseNatsUrl(config.url)
  const files = Object.fromEntries(Object.entries(config.tls ?? {}).filter(([, file]) => file !== undefined))
  return {
    servers: hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    authenticator: authenticators(config),
    ...((scheme === 'tls' || Object.keys(files).length > 0) && { tls: files }),
    timeout: 2000,
    // Otherwise every request creates an Error with a stack trace in case it fails.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // An unresponsive server is detected after 4 s.
    pingInterval: 1000,
    maxPingOut: 3,
  }
}

/** As in other clients, a user without a password is a token. */
function authenticators({ url, credsFile, nkeyFile }: NatsConfig): Authenticator[] {
  const { user, password } = parseNatsUrl(url)
  const login =
    password === undefined ? tokenAuthenticator(user ?? '') : usernamePasswordAuthenticator(user ?? '', password)
  return [
    ...(user === undefined && password === undefined ? [] : [login]),
    ...(credsFile === undefined ? [] : [credsAuthenticator(() => readFileSync(credsFile))]),
    ...(nkeyFile === undefined ? [] : [nkeyAuthenticator(() => Buffer.from(readFileSync(nkeyFile, 'utf8').trim()))]),
  ]
}

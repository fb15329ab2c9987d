import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from '../log/index.ts'

export interface NatsOptions {
  /** `nats://[user:password@]host:port`, `tls://…` for TLS. */
  url: string
  /** Shown in the server's list of connections. */
  name: string
  log: Logger
}

/**
 * The connection to NATS, kept up in the background and for ever. NATS may be away at the start, for an hour, or
 * always: nothing waits for it but the relay and the consumers, and events gather in the outbox meanwhile.
 */
export interface Nats {
  /** The connection while it works; undefined while NATS is away. */
  connection(): NatsConnection | undefined
  /** Raised by every connect and reconnect; tells whether the server may have restarted in between. */
  generation(): number
  /** Calls `listener` after every connect and reconnect. */
  onConnect(listener: () => void): void
  /** Sends what is buffered, for at most 2 s, and closes. */
  close(): Promise<void>
}

export function createNats({ url, name, log }: NatsOptions): Nats {
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
      log.info('connected to NATS')
      for (const listener of listeners) listener()
    } else if (!closing) {
      log.warn('NATS is away; events wait in the outbox')
    }
  }

  /** The client reconnects by itself, but gives up for good on some errors (refused credentials, say). */
  async function keepConnected(): Promise<void> {
    let complained = false
    for (let attempt = 0; !closing; attempt += 1) {
      try {
        current = await connect({ ...connectOptions(url), name })
        attempt = 0
        setUsable(true)
        await follow(current, setUsable)
      } catch (error) {
        if (!complained) log.warn({ err: error }, 'cannot connect to NATS; trying on')
        complained = true
      }
      setUsable(false)
      await pause(Math.min(100 * 2 ** attempt, 2000), stop.signal)
    }
  }
  void keepConnected()

  return {
    connection: () => (usable && current && !current.isClosed() ? current : undefined),
    generation: () => generation,
    onConnect: (listener) => void listeners.push(listener),
    async close() {
      closing = true
      stop.abort()
      if (!current || current.isClosed()) return
      if (usable) await Promise.race([current.flush().catch(() => {}), pause(2000)])
      await current.close()
    },
  }
}

/** Resolves when the connection is closed for good. */
async function follow(connection: NatsConnection, setUsable: (usable: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') setUsable(false)
    if (type === 'reconnect') setUsable(true)
  }
  await connection.closed()
}

function connectOptions(url: string) {
  const { hostname, port, protocol, username, password } = new URL(url)
  return {
    servers: `${hostname}:${port || '4222'}`,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
    timeout: 2000,
    // An error, stack and all, for each request, should it fail; publishing is nothing but requests.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // A server that stands still is noticed after 4 s.
    pingInterval: 1000,
    maxPingOut: 3,
  }
}

/** Resolves after `ms`, or at once when `signal` is aborted. Keeps no process alive. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(resolve, ms).unref()
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

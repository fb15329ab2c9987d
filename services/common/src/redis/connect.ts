import { createClient } from '@redis/client'
import type { ServerUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { type Address, nameOf } from './locations.ts'

export type RedisClient = ReturnType<typeof create>

/**
 * Connects to a server in the background and reconnects until the client is destroyed.
 * @param onFailure called after each failure of the connection
 */
export function connect(address: Address, { url, log, onFailure }: ConnectOptions): RedisClient {
  const client = create(address, url, (retries) => {
    return Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.75 + Math.random() / 2)
  })
  const server = nameOf(address)
  let hasLoggedFailure = false
  client.on('error', (error: unknown) => {
    if (!hasLoggedFailure) log.warn({ err: error, address: server }, 'redis unavailable: continuing without it')
    hasLoggedFailure = true
    onFailure()
  })
  client.on('ready', () => {
    if (hasLoggedFailure) log.info({ address: server }, 'redis reconnected')
    hasLoggedFailure = false
  })
  client.connect().catch(() => {})
  return client
}

/** Sends commands over a connection that is then closed. Takes at most two seconds. */
export async function queryOnce<T>(
  address: Address,
  url: Login,
  send: (client: RedisClient) => Promise<T>,
): Promise<T> {
  const client = create(address, url, false)
  client.on('error', () => {})
  // A machine that is down does not respond at all.
  const timer = setTimeout(() => client.destroy(), connectTimeout)
  try {
    await client.connect()
    return await send(client)
  } finally {
    clearTimeout(timer)
    client.destroy()
  }
}

function create({ host, port }: Address, url: Login, reconnectStrategy: false | ((retries: number) => number)) {
  const { scheme, user, password, path } = url
  return createClient({
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(path !== '' && { database: Number(path) }),
    disableOfflineQueue: true,
    // Its command, CLIENT SETINFO, is not among the rights of a component.
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // The circuit breaker and the socket timeout suffice; the library would create an AbortSignal per command.
    commandOptions: { timeout: 0 },
    // A connection without a response to these pings for 3 s is closed.
    pingInterval: 1000,
    socket: {
      host,
      port,
      ...(scheme.startsWith('rediss') && { tls: true as const }),
      connectTimeout,
      socketTimeout: 3000,
      reconnectStrategy,
    },
  })
}

const connectTimeout = 1000

/** The parts of a URL that a connection needs. */
export type Login = Pick<ServerUrl, 'scheme' | 'user' | 'password' | 'path'>

interface ConnectOptions {
  url: Login
  log: Logger
  onFailure: () => void
}

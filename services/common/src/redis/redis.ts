import { createClient } from '@redis/client'
import { batchByTurn } from '../batch/index.ts'
import { errors } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { activeSpan, attributes, endWith, startSpan, values } from '../telemetry/index.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { RedisScript } from './script.ts'

export interface RedisOptions {
  url: string
  /** Prefix of every key and channel, so that several systems can share a server. */
  keyPrefix?: string
  /** Timeout of a command. Default: 50. */
  commandTimeoutMs?: number
  log: Logger
}

/**
 * Redis as a cache and for signals, never as the source of truth. Every method settles within the command timeout;
 * while Redis is unavailable it rejects with `service-unavailable`, without queueing. Callers must handle that case.
 */
export interface Redis {
  /** False while disconnected or unresponsive. For metrics and readiness; not needed before a command. */
  isReady(): boolean
  get(key: string): Promise<string | null>
  /**
   * Returns the values of several keys, in order. Those requested within one turn of the event loop are read by one command.
   */
  getAll(keys: readonly string[]): Promise<readonly (string | null)[]>
  /** @param ttlMs time to live; every key has one */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(...keys: string[]): Promise<void>
  /**
   * Runs a script, and loads it into Redis if it is unknown there. Adds the prefix to the keys.
   * @returns the result of the script: number, string, null, or an array of these
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Sends a message to current subscribers. Others never receive it. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Subscribes to a channel, on a separate connection that is restored automatically.
   * @param onGap called after the connection was lost, since messages may have been missed
   */
  subscribe(channel: string, onMessage: (message: string) => void, onGap?: () => void): void
  close(): Promise<void>
}

/**
 * Connects in the background and reconnects without limit; a process starts without Redis. An unresponsive Redis costs one
 * timeout, not one per command (see `createCircuitBreaker`).
 */
export function createRedis(options: RedisOptions): Redis {
  const { log, keyPrefix = '', commandTimeoutMs = 50 } = options
  const client = open(options, log)
  const subscribers: RedisClient[] = []
  const breaker = createCircuitBreaker(commandTimeoutMs)
  const prefixed = (key: string) => `${keyPrefix}${key}`

  async function command<T>(name: string, send: () => Promise<T>): Promise<T> {
    try {
      return await traceCommand(name, () => breaker.run(send))
    } catch (error) {
      throw errors.unavailable(error)
    }
  }

  async function sendMget(requests: readonly (readonly string[])[]): Promise<(string | null)[][]> {
    const values = await command('MGET', () => client.mGet(requests.flat().map(prefixed)))
    let position = 0
    return requests.map((keys) => keys.map(() => values[position++] ?? null))
  }
  const mget = batchByTurn(sendMget, maxRequestsPerMget)

  return {
    isReady: () => client.isReady && !breaker.isOpen(),
    get: (key) => command('GET', () => client.get(prefixed(key))),
    getAll: (keys) => traceCommand('MGET', () => mget(keys)),
    async set(key, value, ttlMs) {
      await command('SET', () => client.set(prefixed(key), value, { expiration: { type: 'PX', value: ttlMs } }))
    },
    async delete(...keys) {
      if (keys.length > 0) await command('DEL', () => client.del(keys.map(prefixed)))
    },
    run(script, keys, args) {
      const given = { keys: keys.map(prefixed), arguments: args.map(String) }
      return command('EVALSHA', async () => {
        try {
          return await client.evalSha(script.sha1, given)
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
          return await client.eval(script.text, given)
        }
      })
    },
    async publish(channel, message) {
      await command('PUBLISH', () => client.publish(prefixed(channel), message))
    },
    subscribe(channel, onMessage, onGap) {
      const subscriber = open(options, log)
      subscribers.push(subscriber)
      let isSubscribed = false
      let mayHaveMissed = false
      // Subscribes on the first connection. The client itself restores the subscription after later ones.
      subscriber.on('ready', () => {
        if (isSubscribed) return onGap?.()
        subscriber.subscribe(prefixed(channel), onMessage).then(
          () => {
            isSubscribed = true
            if (mayHaveMissed) onGap?.()
          },
          // The connection was lost again; the next one retries.
          (error: unknown) => log.warn({ err: error }, 'redis subscription failed: retrying'),
        )
        mayHaveMissed = true
      })
    },
    async close() {
      for (const one of [client, ...subscribers]) one.destroy()
    },
  }
}

/** Records a span with the name of the command, never its keys, if it is part of a recorded trace. */
export function traceCommand<T>(name: string, send: () => Promise<T>): Promise<T> {
  const parent = activeSpan()
  const of = { [attributes.dbSystemName]: values.redis, [attributes.dbOperationName]: name }
  const span = parent && startSpan(name, 'client', parent.context, of)
  return span ? endWith(span, send) : send()
}

/** Bounds how long one command occupies Redis. */
const maxRequestsPerMget = 200

type RedisClient = ReturnType<typeof open>

function open({ url }: RedisOptions, log: Logger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // Its command, CLIENT SETINFO, is not among the rights of a component.
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // The circuit breaker and the socket timeout suffice; the library would create an AbortSignal per command.
    commandOptions: { timeout: 0 },
    // A connection without a response to these pings for 3 s is closed.
    pingInterval: 1000,
    socket: {
      connectTimeout: 1000,
      socketTimeout: 3000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.75 + Math.random() / 2),
    },
  })
  let hasLoggedFailure = false
  client.on('error', (error: unknown) => {
    if (!hasLoggedFailure) log.warn({ err: error }, 'redis unavailable: continuing without it')
    hasLoggedFailure = true
  })
  client.on('ready', () => {
    if (hasLoggedFailure) log.info('redis connected again')
    hasLoggedFailure = false
  })
  client.connect().catch(() => {})
  return client
}

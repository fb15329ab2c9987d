import { createClient } from '@redis/client'
import { errors } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { activeSpan, attributes, endWith, startSpan, values } from '../telemetry/index.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { RedisScript } from './script.ts'

export interface RedisOptions {
  url: string
  /** Put before every key and channel; several systems can share a server. */
  keyPrefix?: string
  /** Longest wait for any answer; 50 unless given. */
  commandTimeoutMs?: number
  log: Logger
}

/**
 * Redis as we use it: a cache and a signal, never the truth. Every method either answers within the command
 * time-out or rejects with `service-unavailable`; it never hangs and never queues while Redis is away. So a caller
 * always says what it does without Redis.
 */
export interface Redis {
  /** False while disconnected or not answering. For metrics and readiness, not to be asked before a command. */
  isReady(): boolean
  get(key: string): Promise<string | null>
  /** @param ttlMs after which the key goes by itself; there are no keys without an end */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(...keys: string[]): Promise<void>
  /**
   * Runs a script by its hash, loading it when Redis does not know it (any more). Keys get the prefix.
   * @returns what the script returns: number, string, null, or an array of these
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Tells whoever listens right now. Fire and forget: a listener that is away never hears of it. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Hears messages of a channel, on a connection of its own that comes back by itself.
   * @param onGap called when the connection was lost, since messages may have been missed
   */
  subscribe(channel: string, onMessage: (message: string) => void, onGap?: () => void): void
  close(): Promise<void>
}

/**
 * Connects in the background and for ever again; a Redis that is away does not stop a start. A Redis that stops
 * answering without closing its connections costs one time-out, not one per command: see `createCircuitBreaker`.
 */
export function createRedis(options: RedisOptions): Redis {
  const { log, keyPrefix = '', commandTimeoutMs = 50 } = options
  const client = open(options, log)
  const subscribers: RedisClient[] = []
  const guard = createCircuitBreaker(commandTimeoutMs)
  const prefixed = (key: string) => `${keyPrefix}${key}`

  async function command<T>(name: string, send: () => Promise<T>): Promise<T> {
    try {
      return await traceCommand(name, () => guard.run(send))
    } catch (error) {
      throw errors.unavailable(error)
    }
  }

  return {
    isReady: () => client.isReady && !guard.isStalled(),
    get: (key) => command('GET', () => client.get(prefixed(key))),
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
      let isListening = false
      let mayHaveMissed = false
      // Waits for the first connection and, once it listens, the client listens again after every later one.
      subscriber.on('ready', () => {
        if (isListening) return onGap?.()
        subscriber.subscribe(prefixed(channel), onMessage).then(
          () => {
            isListening = true
            if (mayHaveMissed) onGap?.()
          },
          // The connection broke again; the next one tries again.
          (error: unknown) => log.warn({ err: error }, 'could not listen to Redis'),
        )
        mayHaveMissed = true
      })
    },
    async close() {
      for (const one of [client, ...subscribers]) one.destroy()
    },
  }
}

/** As a span, when it is part of recorded work: the command's name, never its keys. */
function traceCommand<T>(name: string, send: () => Promise<T>): Promise<T> {
  const parent = activeSpan()
  const of = { [attributes.dbSystemName]: values.redis, [attributes.dbOperationName]: name }
  const span = parent && startSpan(name, 'client', parent.context, of)
  return span ? endWith(span, send) : send()
}

type RedisClient = ReturnType<typeof open>

function open({ url }: RedisOptions, log: Logger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // The stall guard and the socket's own limit do; the library's takes an AbortSignal for each command.
    commandOptions: { timeout: 0 },
    // A connection without an answer to these pings for 3 s is taken for dead.
    pingInterval: 1000,
    socket: {
      connectTimeout: 1000,
      socketTimeout: 3000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.75 + Math.random() / 2),
    },
  })
  let complained = false
  client.on('error', (error: unknown) => {
    if (!complained) log.warn({ err: error }, 'Redis is away; going on without')
    complained = true
  })
  client.on('ready', () => {
    if (complained) log.info('Redis is back')
    complained = false
  })
  client.connect().catch(() => {})
  return client
}

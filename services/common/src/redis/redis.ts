import { batchByTurn } from '../batch/index.ts'
import { parseRedisUrl, type RedisUrl } from '../config/index.ts'
import { errors } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { activeSpan, attributes, endWith, startSpan, values } from '../telemetry/index.ts'
import { sendBySlot } from './by-slot.ts'
import { createCluster } from './cluster.ts'
import { type Address, type Directory, onServer } from './locations.ts'
import type { RedisScript } from './script.ts'
import { createSentinels } from './sentinels.ts'
import { openServers, type Send } from './servers.ts'

export interface RedisOptions {
  /** See `parseRedisUrl`. */
  url: string
  /** Prefix of every key and channel, so that several systems can share a server. */
  keyPrefix?: string
  /** Timeout of a command. Default: 50. */
  commandTimeoutMs?: number
  log: Logger
}

/**
 * Redis as a cache and for signals, never as the source of truth. Every method settles within the command timeout, or six of
 * them while a Cluster moves slots; while Redis is unavailable it rejects with `service-unavailable`, without queueing.
 * Callers must handle that case. A failover may lose what was written before it.
 */
export interface Redis {
  /** False while a server is disconnected or unresponsive. For metrics and readiness; not needed before a command. */
  isReady(): boolean
  /** Keys with the same slot may be used in one script: all keys of a server, or of a hash slot in a Cluster. */
  slotOf(key: string): number
  /**
   * Returns the values of several keys, in order. Values requested within one turn of the event loop are read by one command
   * per slot.
   */
  getAll(keys: readonly string[]): Promise<readonly (string | null)[]>
  /** @param ttlMs time to live; every key has one */
  set(key: string, value: string, ttlMs: number): Promise<void>
  /**
   * Runs a script, and loads it into Redis if it is unknown there. Adds the prefix to the keys, which have the same slot.
   * @returns the result of the script: number, string, null, or an array of these
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Sends a message to current subscribers. Others never receive it. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Subscribes to a channel, on a separate connection that is restored automatically.
   * @param onGap called after each time the subscription is established, since earlier messages may have been missed
   */
  subscribe(channel: string, onMessage: (message: string) => void, onGap?: () => void): void
  close(): Promise<void>
}

/**
 * Connects in the background and reconnects without limit; a process starts without Redis. An unresponsive server costs one
 * timeout, not one per command (see `createCircuitBreaker`). Follows the servers of Sentinel and of a Cluster (`openServers`).
 */
export function createRedis(options: RedisOptions): Redis {
  const { log, keyPrefix = '', commandTimeoutMs = 50 } = options
  const url = parseRedisUrl(options.url)
  const servers = openServers({ directory: createDirectory(url), url, commandTimeoutMs, log })
  const prefixed = (key: string) => `${keyPrefix}${key}`
  const slotOf = (key: string) => servers.slotOf(prefixed(key))

  async function command<T>(name: string, slot: number, send: Send<T>): Promise<T> {
    try {
      return await traceCommand(name, () => servers.send(slot, send))
    } catch (error) {
      throw errors.unavailable(error)
    }
  }

  /** Each request has keys of one slot only. */
  async function sendMget(requests: readonly (readonly string[])[], slot: number): Promise<(string | null)[][]> {
    const values = await command('MGET', slot, (client) => client.mGet(requests.flat().map(prefixed)))
    let position = 0
    return requests.map((keys) => keys.map(() => values[position++] ?? null))
  }
  const mget = batchByTurn(
    (requests: readonly (readonly string[])[]) => sendBySlot(requests, ([key = '']) => slotOf(key), sendMget),
    maxRequestsPerMget,
  )

  return {
    isReady: servers.isReady,
    slotOf,
    getAll: (keys) => traceCommand('MGET', async () => Promise.all(await sendBySlot(keys, slotOf, mget))),
    async set(key, value, ttlMs) {
      const expiration = { type: 'PX', value: ttlMs } as const
      await command('SET', slotOf(key), (client) => client.set(prefixed(key), value, { expiration }))
    },
    run(script, keys, args) {
      const given = { keys: keys.map(prefixed), arguments: args.map(String) }
      return command('EVALSHA', slotOf(keys[0] ?? ''), async (client, isAsking) => {
        if (isAsking) return await client.eval(script.text, given)
        try {
          return await client.evalSha(script.sha1, given)
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
          return await client.eval(script.text, given)
        }
      })
    },
    async publish(channel, message) {
      await command('PUBLISH', slotOf(channel), (client) => client.publish(prefixed(channel), message))
    },
    subscribe(channel, onMessage, onGap) {
      servers.follow(slotOf(channel), (subscriber) => {
        let isSubscribed = false
        // Subscribes on the first connection. The client itself restores the subscription after later ones.
        subscriber.on('ready', () => {
          if (isSubscribed) return onGap?.()
          subscriber.subscribe(prefixed(channel), onMessage).then(
            () => {
              isSubscribed = true
              onGap?.()
            },
            // The connection was lost again; the next one retries.
            (error: unknown) => log.warn({ err: error }, 'redis subscription failed: retrying'),
          )
        })
      })
    },
    async close() {
      servers.close()
    },
  }
}

function createDirectory(url: RedisUrl): Directory {
  if (url.scheme.endsWith('+sentinel')) return createSentinels(url)
  if (url.scheme.endsWith('+cluster')) return createCluster(url)
  const address = url.hosts[0] as Address
  return { slotOf: () => 0, find: async () => onServer(address) }
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

import type { Journal } from './journal.ts'
import { createSender, type Send } from './send.ts'
import { systemTimers, type Timers } from './timers.ts'

/** Runs a plugin on a simulated game server. */
export function createPlugin(behavior: Behavior, options: PluginOptions): Plugin {
  const { timers = systemTimers, send = createSender(options.baseUrl), now = () => performance.now() } = options
  const { journal, players = () => [] } = options
  const running = new Set<Promise<void>>()
  const stops = new Set<() => void>()
  const failures: string[] = []
  let rejectedWith: number | undefined
  let isLinked = false
  let isStopped = false

  async function request(method: string, path: string, body?: Buffer): Promise<unknown> {
    const headers = { authorization: `Gameserver ${options.token}`, 'user-agent': behavior.name }
    const { status, text } = await send({ method, path, headers, body })
    // Plugins give up on these two statuses only.
    if (status === 401 || status === 403) {
      rejectedWith = status
      stopTimers()
    }
    if (status < 200 || status > 299) throw new RequestFailed(`${method} ${path}: ${status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  const server: GameServer = {
    request,
    players,
    async poll(method, path, body) {
      const sentAt = now()
      const commands = (await request(method, path, body)) as QueuedCommandBody[]
      journal?.givenOut({
        plugin: behavior.name,
        ids: commands.map((one) => one.attempt_id),
        sentAt,
        receivedAt: now(),
      })
      return commands
    },
    async execute(command, queued) {
      try {
        await options.execute?.(command, queued)
      } catch (error) {
        failures.push(String(error))
        return false
      }
      journal?.executed({ plugin: behavior.name, id: queued.attempt_id, command })
      return true
    },
    async acknowledge(method, path, ids) {
      await request(method, path, encode(ids.map((attempt_id) => ({ attempt_id }))))
      journal?.acknowledged({ ids, receivedAt: now() })
    },
    pause: (ms) =>
      new Promise((resolve, reject) => {
        const stop = timers.after(ms, () => {
          stops.delete(end)
          resolve()
        })
        const end = () => {
          stop()
          reject(new RequestFailed('stopped'))
        }
        stops.add(end)
      }),
  }

  function link(): Promise<void> {
    return attempt(async () => {
      await behavior.link(server)
      isLinked = true
    })
  }

  function poll(): Promise<void> {
    return attempt(() => behavior.poll(server))
  }

  /** A failure is logged and the next poll tries again, whatever it was. */
  async function attempt(act: () => Promise<void>): Promise<void> {
    if (isStopped || rejectedWith !== undefined) return
    const run = act().catch((error: unknown) => void failures.push(String(error)))
    running.add(run)
    await run
    running.delete(run)
  }

  function tick(): void {
    if (running.size > 0 && !behavior.overlaps) return
    const isLinkMissing = !isLinked && behavior.linksFirst
    void (isLinkMissing ? link() : poll())
  }

  function stopTimers(): void {
    for (const stop of stops) stop()
    stops.clear()
  }

  return {
    name: behavior.name,
    failures,
    rejectedWith: () => rejectedWith,
    link,
    poll,
    start() {
      void link()
      stops.add(timers.every(options.pollEveryMs ?? behavior.pollEveryMs, tick))
    },
    async stop() {
      isStopped = true
      stopTimers()
      await Promise.all(running)
    },
  }
}

export function encode(value: unknown, encoding: BufferEncoding = 'utf8'): Buffer {
  return Buffer.from(JSON.stringify(value), encoding)
}

class RequestFailed extends Error {}

/** What distinguishes one vendor's plugin from another. */
export interface Behavior {
  name: string
  pollEveryMs: number
  /** Polls while an earlier poll is still running. */
  overlaps: boolean
  /** Does not poll before the link has succeeded. */
  linksFirst: boolean
  link(server: GameServer): Promise<void>
  poll(server: GameServer): Promise<void>
}

/** What a plugin sees of its game server and of the network. Each request throws unless its status is 2xx. */
export interface GameServer {
  request(method: string, path: string, body?: Buffer): Promise<unknown>
  poll(method: string, path: string, body?: Buffer): Promise<QueuedCommandBody[]>
  acknowledge(method: string, path: string, ids: readonly string[]): Promise<void>
  /** @returns whether the game ran the command */
  execute(command: string, queued: QueuedCommandBody): Promise<boolean>
  players(): readonly OnlinePlayer[]
  pause(ms: number): Promise<void>
}

/** A command as the API returns it, declared independently of the product. Absent members are not null. */
export interface QueuedCommandBody {
  attempt_id: string
  command: string
  online_only: boolean
  queued_at: string
  steam_id?: string
  minecraft_uuid?: string
  customer_name?: string
  required_slots?: number
}

export interface OnlinePlayer {
  name?: string
  steamId?: string
  minecraftUuid?: string
  /** The number of the player on a FiveM server. */
  source?: number
}

export interface PluginOptions {
  /** Where the gateway is; https too with a `send` for it. */
  baseUrl: string
  token: string
  players?: () => readonly OnlinePlayer[]
  /** The console of the game; a rejection means that the command did not run. */
  execute?: (command: string, queued: QueuedCommandBody) => void | Promise<void>
  journal?: Journal
  /** As the plugin has it unless given. */
  pollEveryMs?: number
  timers?: Timers
  now?: () => number
  send?: Send
}

export interface Plugin {
  readonly name: string
  /** Failed links, polls and acknowledgements, as the plugin would log them. */
  readonly failures: readonly string[]
  /** The status that made the plugin give up. */
  rejectedWith(): number | undefined
  /** Links and polls until `stop`. */
  start(): void
  link(): Promise<void>
  /** Polls once, without a timer. Failures are logged. */
  poll(): Promise<void>
  /** Resolves when its requests have ended. */
  stop(): Promise<void>
}

import { cpuTimeOf, cpuTimeOfTree } from './cpu-time.ts'
import { type LoadRequest, type LoadResult, sendAll } from './http-load.ts'

/** Sends requests for the stated time at least, and until a batch no longer costs 5 % less than an earlier one. */
export async function warmUp(side: Side, make: MakeRequest, { seconds, batch, servers }: Warmth): Promise<void> {
  const started = performance.now()
  let cheapest = Number.POSITIVE_INFINITY
  for (;;) {
    const { cpuMs } = await measure(side, make, { count: batch, connections: 32, servers })
    const isStable = cpuMs > cheapest * 0.95
    cheapest = Math.min(cheapest, cpuMs)
    if (isStable && performance.now() - started >= seconds * 1000) return
  }
}

export async function measure(side: Side, make: MakeRequest, { servers, ...amount }: Amount): Promise<Measured> {
  const { count } = amount
  const before = cpuTimes(side, servers)
  const result = await sendAll({ url: side.url, ...amount, make })
  // On a busy machine some requests time out. More than a few would make the work incomparable.
  if (result.failed > count / 50) throw new Error(`${result.failed} of ${count} requests did not return 200.`)
  const answered = cpuTimes(side, servers)
  await side.settled?.()
  const since = (start: Map<string, number>, end: Map<string, number>) =>
    new Map([...end].map(([name, ms]) => [name, (ms - (start.get(name) ?? 0)) / count]))
  const parts = since(before, cpuTimes(side, servers))
  const own = Object.keys(side.pids)
  const cpuMs = sum(own, parts)
  const respondingMs = sum(responding(own, since(before, answered)), since(before, answered))
  return { ...result, cpuMs, asynchronousMs: cpuMs - respondingMs, parts }
}

/** The gateway and the service that it calls, or the floor: the two that use most, except for the index. */
function responding(own: readonly string[], parts: Map<string, number>): string[] {
  const service = own.filter((name) => name !== 'gateway' && name !== 'search')
  return ['gateway', ...service.toSorted((a, b) => (parts.get(b) ?? 0) - (parts.get(a) ?? 0)).slice(0, 1)]
}

function sum(names: readonly string[], parts: Map<string, number>): number {
  return names.reduce((total, name) => total + (parts.get(name) ?? 0), 0)
}

function cpuTimes({ pids }: Side, servers: Servers): Map<string, number> {
  const times = new Map<string, number>()
  for (const [name, pid] of Object.entries(pids)) times.set(name, cpuTimeOf([pid]))
  for (const [name, pid] of Object.entries(servers)) times.set(name, cpuTimeOfTree(pid))
  return times
}

type MakeRequest = (index: number) => LoadRequest

export interface Side {
  url: string
  /** The processes by name. Servers such as the database belong to neither side. */
  pids: Record<string, number>
  /** Waits for the asynchronous work of the requests. */
  settled?(): Promise<void>
}

/** The database and the other servers by name, whose CPU time is reported too. */
type Servers = Readonly<Record<string, number>>

interface Amount {
  count: number
  connections: number
  /** Whether each request has a new connection; false by default. */
  reconnects?: boolean
  servers: Servers
}

interface Warmth {
  seconds: number
  /** Requests per batch. */
  batch: number
  servers: Servers
}

export interface Measured extends LoadResult {
  /** CPU time of the side's processes per request. */
  cpuMs: number
  /** The part of it that no caller waits for. */
  asynchronousMs: number
  /** CPU time per request of each process, servers included. */
  parts: Map<string, number>
}

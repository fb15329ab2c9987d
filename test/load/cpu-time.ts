import { readdirSync, readFileSync } from 'node:fs'

/** The CPU time that the processes have used so far in ms, from Linux's /proc: the sum over their present threads. */
export function cpuTimeOf(pids: readonly number[]): number {
  return pids.flatMap(threadsOf).reduce((total, thread) => total + Number(tryRead(thread).split(' ')[0]), 0) / 1e6
}

/**
 * The same for a server with its children, including exited ones: Postgres has one per connection. Counted in ticks of 10 ms.
 */
export function cpuTimeOfTree(pid: number): number {
  const ended = ticksOf(pid, ['user', 'system', 'endedUser', 'endedSystem'])
  return childrenOf(pid).reduce((total, child) => total + ticksOf(child, ['user', 'system']), ended) * msPerTick
}

/** The Postgres, NATS and Redis servers that were started for this run, which have the same parent process. */
export function ownServers(): Record<string, number> {
  const siblings = childrenOf(process.ppid).map((pid) => [commandOf(pid), pid] as const)
  return Object.fromEntries(siblings.filter(([command]) => serverCommands.has(command)))
}

const msPerTick = 10
const serverCommands: ReadonlySet<string> = new Set(['postgres', 'nats-server', 'redis-server'])

/** Positions in /proc/<pid>/stat, counted after the command name. */
const statFields = { user: 11, system: 12, endedUser: 13, endedSystem: 14 }

function ticksOf(pid: number, which: readonly (keyof typeof statFields)[]): number {
  const stat = tryRead(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return which.reduce((total, one) => total + Number(fields[statFields[one]] ?? 0), 0)
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/schedstat`)
}

function childrenOf(pid: number): number[] {
  return tryRead(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function commandOf(pid: number): string {
  return tryRead(`/proc/${pid}/comm`).trim()
}

/** Empty for a process that has just exited. */
function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

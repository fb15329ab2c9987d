import { readFileSync } from 'node:fs'

/** Milliseconds of processor time that the processes have used so far, from Linux's /proc (ticks of 10 ms). */
export function cpuTimeOf(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + ticksOf(pid, ['user', 'system']), 0) * msPerTick
}

/** The same of a server and its children, also those that have ended: Postgres has one for each connection. */
export function cpuTimeOfTree(pid: number): number {
  const ended = ticksOf(pid, ['user', 'system', 'endedUser', 'endedSystem'])
  return ended * msPerTick + cpuTimeOf(childrenOf(pid))
}

/** Postgres, NATS and Redis, as far as they were started for this run: children of who started it too. */
export function ownServers(): Record<string, number> {
  const beside = childrenOf(process.ppid).map((pid) => [commandOf(pid), pid] as const)
  return Object.fromEntries(beside.filter(([command]) => serverCommands.has(command)))
}

const msPerTick = 10
const serverCommands: ReadonlySet<string> = new Set(['postgres', 'nats-server', 'redis-server'])

/** Places in /proc/<pid>/stat, counted from what follows the command's name. */
const statFields = { user: 11, system: 12, endedUser: 13, endedSystem: 14 }

function ticksOf(pid: number, which: readonly (keyof typeof statFields)[]): number {
  const stat = tryRead(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return which.reduce((total, one) => total + Number(fields[statFields[one]] ?? 0), 0)
}

function childrenOf(pid: number): number[] {
  return tryRead(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function commandOf(pid: number): string {
  return tryRead(`/proc/${pid}/comm`).trim()
}

/** Empty for a process that has just ended. */
function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Child } from '../processes/child.ts'

/** Sends a signal to a program and all its descendants: Postgres starts each backend in a separate session. */
export function killTree(child: Child, signal: NodeJS.Signals): void {
  if (child.hasExited()) return
  const below = descendants(child.pid)
  child.kill(signal)
  for (const pid of below) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already exited.
    }
  }
}

/** Whether the process is running and its command line contains `mark`. */
export function isAlive(pid: number, mark: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) return false
  }
  return commandLine(pid).includes(mark)
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return process.platform === 'linux' ? '' : ps('-o', 'command=', '-p', String(pid))
  }
}

function descendants(root: number): number[] {
  const parents = process.platform === 'linux' ? parentsFromProc() : parentsFromPs()
  const found = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const [pid, parent] of parents) {
      if (found.has(pid) || !found.has(parent)) continue
      found.add(pid)
      grew = true
    }
  }
  found.delete(root)
  return [...found]
}

function parentsFromProc(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
        return [[Number(name), Number(parent)]]
      } catch {
        return []
      }
    })
}

function parentsFromPs(): [pid: number, parent: number][] {
  return ps('-A', '-o', 'pid=,ppid=')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]): [number, number][] => (pid === undefined || parent === undefined ? [] : [[pid, parent]]))
}

function ps(...args: string[]): string {
  return spawnSync('ps', args, { encoding: 'utf8' }).stdout ?? ''
}

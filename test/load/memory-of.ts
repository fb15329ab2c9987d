import { readFileSync } from 'node:fs'

/** The memory of a process in MiB, from Linux's /proc. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { resident: field(status, 'VmRSS'), peak: field(status, 'VmHWM'), proportional: field(rollup, 'Pss') }
}

function field(text: string, name: string): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text) ?? []
  return Number(kib) / 1024
}

export interface Memory {
  resident: number
  /** The highest value that `resident` ever had. */
  peak: number
  /** Without the share of other processes in the pages that they share, such as the program itself. */
  proportional: number
}

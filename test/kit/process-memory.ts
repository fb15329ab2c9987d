import { readFileSync, writeFileSync } from 'node:fs'

/** The memory of a process in MiB, from Linux's /proc. */
export function memoryOf(pid: number): Memory {
  const text = ['status', 'smaps_rollup'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join('\n')
  return { resident: field(text, 'VmRSS'), peak: field(text, 'VmHWM'), proportional: field(text, 'Pss') }
}

/** Measures the resident memory of a process from now on, in MiB. */
export function watchMemory(pid: number): { before: number; peak(): number } {
  // Makes the peak start again from the current value.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return { before: memoryOf(pid).resident, peak: () => memoryOf(pid).peak }
}

function field(text: string, name: string): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text) ?? []
  if (kib === undefined) throw new Error(`The process has no ${name}.`)
  return Number(kib) / 1024
}

export interface Memory {
  resident: number
  /** The highest value of `resident` since the start of the process, or of `watchMemory`. */
  peak: number
  /** Excludes other processes' share of common pages, such as the program itself. */
  proportional: number
}

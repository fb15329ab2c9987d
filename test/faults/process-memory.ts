import { readFileSync, writeFileSync } from 'node:fs'

/** Measures the resident memory of a process from now on. Linux only. */
export function watchMemory(pid: number): WatchedMemory {
  // Makes the peak start again from the current value.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return { before: mebibytes(pid, 'VmRSS'), peak: () => mebibytes(pid, 'VmHWM') }
}

function mebibytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] =
    new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}.`)
  return Math.round(Number(kibibytes) / 1024)
}

/** In MiB. */
export interface WatchedMemory {
  readonly before: number
  peak(): number
}

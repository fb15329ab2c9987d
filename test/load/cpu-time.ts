import { readFileSync } from 'node:fs'

/** Milliseconds of processor time that the processes have used so far, from Linux's /proc (ticks of 10 ms). */
export function cpuTimeOf(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return total + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}

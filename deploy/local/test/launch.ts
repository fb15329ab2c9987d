import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { paths } from '../src/paths.ts'

/** Runs a command through the bootstrap of a checkout, as npm does, without the settings of the developer's shell. */
export function launch(args: readonly string[], environment: Record<string, string>, checkout = paths.root): Launched {
  const { DATABASE_URL, NATS_URL, REDIS_URL, HOST, ...rest } = process.env
  const child = spawn(process.execPath, [join(checkout, 'deploy/local/bootstrap.mjs'), ...args], {
    env: { ...rest, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    ended,
    output: () => output,
    printed: async (text) => {
      const isPrinted = () => output.includes(text)
      const exited = ended.then((code) => `exit code ${code}`)
      const printed = vi.waitUntil(isPrinted, { timeout: 300_000, interval: 50 }).catch(String)
      const result = await Promise.race([exited, printed])
      if (!isPrinted()) throw new Error(`"${text}" was not printed (${result}), but:\n${output}`)
    },
  }
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => stat(pid)?.parent === parent)
}

export function isRunning(pid: number): boolean {
  const found = stat(pid)
  return found !== undefined && found.state !== 'Z'
}

function stat(pid: number): { state: string | undefined; parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

export interface Launched {
  process: ChildProcess
  /** The exit code. */
  ended: Promise<number | null>
  output(): string
  printed(text: string): Promise<void>
}

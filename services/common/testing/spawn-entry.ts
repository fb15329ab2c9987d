import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs an entry file in its own process, with these settings and the compile cache of the test run. */
export function spawnEntry(url: URL, args: readonly string[], env: Record<string, string>): Spawned {
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += String(chunk)
  })
  const exited = new Promise<Exit>((resolve) => child.once('close', (code) => resolve({ code, ...output })))
  return { child, output, exited }
}

export interface Spawned {
  child: ChildProcess
  /** The output so far. */
  output: { stdout: string; stderr: string }
  exited: Promise<Exit>
}

export interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

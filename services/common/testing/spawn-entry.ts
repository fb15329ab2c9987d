import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs an entry file in its own process, with these settings and the compile cache of the test run. */
export function spawnEntry(url: URL, args: readonly string[], env: Record<string, string>): Spawned {
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], {
    env: { ...environmentOfNode(), ...env },
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

/** What Node itself needs, without the settings of this process. */
export function environmentOfNode(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE }
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

import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs one of the service's entry files as a process of its own, with these settings and no others. */
export function spawnEntry(file: string, args: readonly string[], env: Record<string, string>): Spawned {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { env: { PATH: process.env.PATH, ...env } })
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
  /** What it has written so far. */
  output: { stdout: string; stderr: string }
  exited: Promise<Exit>
}

export interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

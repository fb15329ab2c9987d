import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs an entry file, or the bundle of its process in the folder PRODUCT_BUNDLES, in its own process with these settings and the
 * compile cache of the test run. It ends with this process, even if that is killed.
 */
export function spawnEntry(url: URL, args: readonly string[], env: Record<string, string>): Spawned {
  const child = spawn(process.execPath, ['--import', endWithParent, bundleOf(url) ?? fileURLToPath(url), ...args], {
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

function bundleOf(url: URL): string | undefined {
  const { PRODUCT_BUNDLES: bundles } = process.env
  const [, name] = /\/([^/]+)\/src\/main\.ts$/.exec(url.pathname) ?? []
  const bundle = bundles && name && join(bundles, `${name}.js`)
  return bundle && existsSync(bundle) ? bundle : undefined
}

/** The pipe to the parent closes when the parent dies, however that happens. Threads run this as well, but have no such pipe. */
const endWithParent = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume().unref()`)}`

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

import { resolve } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { memoryLimitMiB, nodeOptions } from '../services.ts'
import { type Child, lastLines, startChild, waitUntilReady } from './child.ts'
import { expectOk } from './expect-ok.ts'

/**
 * Starts a TypeScript file of the repository on this version of Node.
 * @param name also an argument that the file ignores, by which `ps` and `pkill` tell the processes of cells apart
 * @param options.main path in the repository, or an absolute path
 * @param options.root a folder with another version of the repository
 * @param options.env the whole environment, except for what Node itself needs. NODE_OPTIONS replaces the limits of its heap
 */
export function startNode(name: string, { main, env, logFile, root = paths.root }: NodeOptions): Promise<Child> {
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE = paths.compileCache } = process.env
  return startChild({
    name,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', resolve(root, main), name],
    logFile,
    stopTimeoutMs: 30_000,
    spawn: { env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, ...env }, cwd: root },
  })
}

/** Waits until the address returns 2xx; fails like `waitUntilReady`, or with the invalid settings. */
export async function waitUntilServing(child: Child, readyUrl: string): Promise<void> {
  try {
    await waitUntilReady(child, () => expectOk(readyUrl))
  } catch (cause) {
    // The one line that names the invalid settings is more useful than the end of the log.
    const settings = lastLines(child, 3).find((line) => line.startsWith('Invalid settings: '))
    throw settings ? new SetupError(`${child.name}: ${settings}`) : cause
  }
}

/** The limits that Node has in a container with the memory limit of the chart. */
const NODE_OPTIONS = `${nodeOptions} --max-old-space-size=${memoryLimitMiB / 2}`

interface NodeOptions {
  main: string
  root?: string | undefined
  env: NodeJS.ProcessEnv
  logFile: string
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchParent } from './parent.mjs'
import { root } from './root.mjs'

/**
 * Runs the script of a command on the given Node and returns its exit code. Forwards signals; the closed IPC channel
 * tells the script that this process died. Stops the script when the parent of this process (npm) dies.
 * @param {string} node
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export function handOver(node, script, args) {
  const path = fileURLToPath(new URL(`../src/${script}`, import.meta.url))
  const hasParentDied = watchParent()
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Halves the start time of each process from the second start on.
    env: { NODE_COMPILE_CACHE: join(root, '.tools/compile-cache'), ...process.env },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.removeAllListeners(signal)
    process.on(signal, () => child.kill(signal))
  }
  process.once('exit', () => child.kill('SIGTERM'))
  const watch = setInterval(() => hasParentDied() && child.kill('SIGTERM'), 500)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearInterval(watch)
      resolve(code ?? 1)
    })
  })
}

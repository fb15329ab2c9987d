import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './root.mjs'
import { starterWatch } from './starter.mjs'

/**
 * Runs a command's script on the chosen Node and answers its exit code. The script gets the signals that come here; it
 * sees by the closed channel when this process dies. It also ends when whoever started this process (npm) dies.
 * @param {string} node
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export function handOver(node, script, args) {
  const path = fileURLToPath(new URL(`../src/${script}`, import.meta.url))
  const starterIsGone = starterWatch()
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Halves the time in which each process starts, from the second start on.
    env: { NODE_COMPILE_CACHE: join(root, '.tools/compile-cache'), ...process.env },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.removeAllListeners(signal)
    process.on(signal, () => child.kill(signal))
  }
  process.once('exit', () => child.kill('SIGTERM'))
  const watch = setInterval(() => starterIsGone() && child.kill('SIGTERM'), 500)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearInterval(watch)
      resolve(code ?? 1)
    })
  })
}

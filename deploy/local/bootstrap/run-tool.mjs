import { spawn } from 'node:child_process'
import { root } from './root.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Runs a tool without output.
 * @param {string[]} commandLine
 * @param {string} problem error message if it fails; the last lines of its output are added
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, keepLines?: number }} options
 * @returns {Promise<void>}
 */
export function runTool([command = '', ...args], problem, { keepLines = 12, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    const end = () => child.kill('SIGTERM')
    process.once('exit', end)
    let output = ''
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (cause) => reject(new SetupError(`${problem} (${command}: ${cause.message})`)))
    child.once('close', (code) => {
      process.off('exit', end)
      if (code === 0) return resolve()
      reject(new SetupError(problem, output.trim().split('\n').slice(-keepLines)))
    })
  })
}

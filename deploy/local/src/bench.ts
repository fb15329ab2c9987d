import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { testEnvironment } from './checks/run-vitest.ts'
import { paths } from './paths.ts'
import { guardChild } from './processes/guard.ts'
import { runCommand } from './run-command.ts'
import { bundleProcesses } from './system/bundle-processes.ts'
import { startInfra } from './system/infra.ts'
import { readSettings } from './system/settings.ts'

const ending = '.bench.ts'

/**
 * `npm run bench -- <name>` runs test/load/<name>.bench.ts on the bundles of the processes, as `npm start` and images do; with an
 * empty PRODUCT_BUNDLES on the sources. KEEP_DATA names a folder whose data later runs use again.
 */
await runCommand(async (scope) => {
  const [name, ...rest] = process.argv.slice(2)
  const folder = join(paths.root, 'test/load')
  const known = readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? file.slice(0, -ending.length) : []))
  if (!name || !known.includes(name) || rest.length > 0) {
    throw new SetupError(`Usage: npm run bench -- <name>. The names are ${known.join(', ')}.`)
  }
  const kept = process.env.KEEP_DATA && resolve(process.env.KEEP_DATA)
  const place = kept || join(paths.test, String(process.pid))
  mkdirSync(place, { recursive: true })
  if (!kept) scope.onEnd(() => rmSync(place, { recursive: true, force: true }))
  const { PRODUCT_BUNDLES = paths.testBundles } = process.env
  if (PRODUCT_BUNDLES === paths.testBundles) await bundleProcesses(scope.progress, paths.testBundles)
  const infra = await startInfra(scope, readSettings(process.env), { data: place, logs: place, fast: true })
  const script = join(folder, name + ending)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: 'inherit',
    env: { ...testEnvironment(infra), PRODUCT_BUNDLES },
  })
  guardChild(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
})

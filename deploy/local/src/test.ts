import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checks } from './checks/checks.ts'
import { type Result, runChecks } from './checks/run-checks.ts'
import { expectTestFiles, runVitest } from './checks/run-vitest.ts'
import { readTestArguments, type Suite } from './checks/test-arguments.ts'
import { generateSdk } from './codegen/generate-sdk.ts'
import { findPromtool } from './infra/promtool.ts'
import { findTool } from './infra/tools.ts'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { bundleProcesses } from './system/bundle-processes.ts'
import { startInfra } from './system/infra.ts'
import { readSettings } from './system/settings.ts'
import { createDataFolder, removeLeftovers } from './system/test-folders.ts'

const standard = ['--project=packages', '--project=acceptance']
const projectsOf: Record<Suite, readonly string[]> = {
  standard,
  ci: standard,
  clients: ['--project=clients'],
  faults: ['--project=faults'],
  all: [],
}

/** At the small scale the fault tests take less than five minutes. */
const faultTestsStartWithinMs = 5 * 60_000
const smallScale = '0.2'

/** Runs one suite of tests and closes with one line that counts everything: checks and tests of all its runs. */
await runCommand(async (scope) => {
  const startedAt = performance.now()
  const { suite, filters } = readTestArguments(process.argv.slice(2))
  expectTestFiles(filters)
  removeLeftovers(paths.test)
  const place = join(paths.test, String(process.pid))
  mkdirSync(place, { recursive: true })
  const data = createDataFolder(place)
  scope.onEnd(() => {
    for (const folder of [data, place]) rmSync(folder, { recursive: true, force: true })
  })
  const isWhole = filters.length === 0 && suite !== 'faults' && suite !== 'clients'
  if (isWhole) await scope.progress.step('programs that tests run', findPrograms)
  const [infra] = await Promise.all([
    startInfra(scope, readSettings(process.env), { data, logs: place, fast: true }),
    generateSdk(scope.progress),
    isWhole && bundleProcesses(scope.progress, paths.testBundles),
  ])
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runVitest([...args, ...filters], {
      infra,
      env: { TEST_FOLDER: place, ...env },
      reportFile: join(place, 'vitest.json'),
    })

  const results: Result[] = []
  // A filter runs only the matching tests, without the checks.
  if (!isWhole) results.push(await run(projectsOf[suite ?? 'all']))
  else {
    // Bundles start in half the time. Fault tests run the sources, because some change modules of libraries.
    const tests = run(standard, { PRODUCT_BUNDLES: paths.testBundles })
    results.push(...(await Promise.all([runChecks(checks, scope.progress), tests])))
    if (suite === 'all') for (const rest of ['clients', 'faults'] as const) results.push(await run(projectsOf[rest]))
    if (suite === 'ci' && performance.now() - startedAt < faultTestsStartWithinMs) {
      results.push(await run(projectsOf.faults, { TEST_SCALE: smallScale, ...process.env }))
    } else if (suite === 'ci') console.log('\nThe fault tests were left out: the run would take more than ten minutes.')
  }
  const passed = results.reduce((total, result) => total + result.passed, 0)
  const failures = results.flatMap((result) => result.failures)
  // The failures are repeated at the end, because a log is often cut to its last lines.
  scope.onEnd(() => {
    for (const { name, message } of failures) console.log(`\nFailed: ${name}\n  ${firstLines(message)}`)
    console.log(`\n${passed} passed, ${failures.length} failed`)
  })
  return failures.length === 0 ? 0 : 1
})

/** Downloads what is missing before several tests need it at the same time. */
async function findPrograms(): Promise<void> {
  await Promise.all([findTool('curl'), findTool('openssl'), findPromtool()])
}

function firstLines(message: string): string {
  const [withoutStack = ''] = message.split(/\n\s+at /)
  return withoutStack.split('\n').slice(0, 8).join('\n  ')
}

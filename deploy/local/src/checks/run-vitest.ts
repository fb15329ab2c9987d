import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { guardChild } from '../processes/guard.ts'
import type { Infra } from '../system/infra.ts'
import type { Result } from './run-checks.ts'

/**
 * Refuses arguments to which no test file belongs, before anything starts for them. Other mistakes are left to vitest,
 * which explains them.
 */
export async function expectTestFiles(args: readonly string[]): Promise<void> {
  const list = [vitest, 'list', '--filesOnly', '--no-color', ...args]
  const found = await promisify(execFile)(process.execPath, list, { cwd: paths.root }).catch(() => undefined)
  if (found?.stdout.trim() === '') throw new SetupError(`No test file matches ${args.join(' ')}.`)
}

/** Runs the tests of all members, their output going to the terminal, and counts them. */
export async function runVitest(args: readonly string[], infra: Infra, reportFile: string): Promise<Result> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  // Most tests wait for servers rather than compute, so more of them run at a time than there are processors.
  const workers = args.some((arg) => arg.startsWith('--maxWorkers'))
    ? []
    : [`--maxWorkers=${availableParallelism() + 1}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...workers, ...args], {
    cwd: paths.root,
    stdio: 'inherit',
    env: testEnvironment(infra),
  })
  guardChild(child)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  return count(reportFile, code)
}

const vitest = join(paths.root, 'node_modules/vitest/vitest.mjs')

/** Where the test servers are. Settings of the person's own shell must not reach the processes under test. */
export function testEnvironment({ databaseUrl, natsUrl, redisUrl }: Infra): NodeJS.ProcessEnv {
  const { DATABASE_URL, NATS_URL, REDIS_URL, PORT, HOST, LOG_LEVEL, ...rest } = process.env
  return {
    ...rest,
    TEST_DATABASE_ADMIN_URL: databaseUrl,
    TEST_NATS_URL: natsUrl,
    TEST_REDIS_URL: redisUrl,
  }
}

/** A file that could not be loaded counts as one failure, and so does an end that no test explains. */
function count(reportFile: string, code: number): Result {
  try {
    const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
    const unloaded = report.testResults.filter(({ status, assertionResults }) => {
      return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
    }).length
    const failed = report.numFailedTests + unloaded
    return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { guardChild } from '../processes/guard.ts'
import type { Infra } from '../system/infra.ts'
import type { Failure, Result } from './run-checks.ts'

/** @throws SetupError when no test file matches the paths among the arguments, before anything starts for them */
export function expectTestFiles(args: readonly string[]): void {
  const filters = args.filter((arg) => !arg.startsWith('-'))
  if (filters.length === 0) return
  const found = globSync('{proto,services,gateway,deploy,helm,test}/**/*.test.ts', {
    cwd: paths.root,
    exclude: (name) => name === 'node_modules',
  })
  if (!found.some((file) => filters.some((filter) => join(paths.root, file).includes(filter)))) {
    throw new SetupError(`No test file matches ${filters.join(' ')}.`)
  }
}

/** Runs tests, with their output on the terminal, and counts them. */
export async function runVitest(args: readonly string[], { infra, env, reportFile }: VitestRun): Promise<Result> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  // Most tests wait for servers rather than compute, so more of them run at a time than there are processors.
  const workers = args.some((arg) => arg.startsWith('--maxWorkers'))
    ? []
    : [`--maxWorkers=${availableParallelism() + 1}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...workers, ...args], {
    cwd: paths.root,
    stdio: 'inherit',
    env: { ...testEnvironment(infra), ...env },
  })
  guardChild(child)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  return count(reportFile, code)
}

interface VitestRun {
  infra: Infra
  /** Environment variables of the tests, in addition to this process's. */
  env: NodeJS.ProcessEnv
  /** Where the counts are written. */
  reportFile: string
}

const vitest = join(paths.root, 'node_modules/vitest/vitest.mjs')

/** Where the test servers are. Settings of the developer's shell must not reach the processes under test. */
export function testEnvironment({ databaseUrl, natsUrl, redisUrl, servers }: Infra): NodeJS.ProcessEnv {
  const { DATABASE_URL, NATS_URL, REDIS_URL, PORT, HOST, LOG_LEVEL, ...rest } = process.env
  return {
    ...rest,
    TEST_DATABASE_ADMIN_URL: databaseUrl,
    TEST_NATS_URL: natsUrl,
    TEST_REDIS_URL: redisUrl,
    // Your own servers do not know the users of the components.
    TEST_SERVER_USERS: servers.map(({ name }) => name).join(),
    // Tells apart what several runs on one database server create.
    TEST_RUN: String(process.pid),
  }
}

/** A file that fails to load counts as one failure, and so does an exit code that no failed test explains. */
function count(reportFile: string, code: number): Result {
  let report: Report
  try {
    report = JSON.parse(readFileSync(reportFile, 'utf8'))
  } catch {
    return { passed: 0, failures: [{ name: 'vitest', message: `wrote no report; exit code ${code}` }] }
  }
  const failures = report.testResults.filter(({ status }) => status === 'failed').flatMap(failuresOf)
  if (failures.length === 0 && code !== 0) failures.push({ name: 'vitest', message: `exit code ${code}` })
  return { passed: report.numPassedTests, failures }
}

function failuresOf({ name, message, assertionResults }: FileReport): Failure[] {
  const file = relative(paths.root, name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (tests.length === 0) return [{ name: file, message }]
  return tests.map((test) => ({ name: `${file} > ${test.fullName}`, message: test.failureMessages[0] ?? '' }))
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  numPassedTests: number
  testResults: FileReport[]
}

interface FileReport {
  name: string
  status: string
  /** Why the file could not be loaded; otherwise empty. */
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

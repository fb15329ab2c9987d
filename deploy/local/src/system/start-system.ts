import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { isPortFree, nextFreePort, reservePort } from '../infra/ports.ts'
import { paths } from '../paths.ts'
import type { Child } from '../processes/child.ts'
import { startNode, waitUntilServing } from '../processes/start-node.ts'
import type { Scope } from '../run-command.ts'
import { addressSettings } from '../services.ts'
import { bundled, bundleProcesses } from './bundle-processes.ts'
import { createDemoCheckout } from './demo-checkout.ts'
import { describeProcesses, type ProcessDescription, provisionDatabases } from './describe-processes.ts'
import { createReadOnlySwitch, guardDisk } from './disk-guard.ts'
import { startInfra } from './infra.ts'
import { takeLock } from './lock.ts'
import { adminIdentity, loadSecrets } from './secrets.ts'
import { seedDemo } from './seed.ts'
import { readSettings, type Settings } from './settings.ts'
import { summary } from './summary.ts'
import { type Program, supervise } from './supervise.ts'

/** Starts the whole system, and restarts what exits. Everything stops when the command ends. */
export async function startSystem(scope: Scope, args: readonly string[], options: StartOptions = {}): Promise<System> {
  const settings = readSettings(process.env)
  const lock = takeLock(paths.running, ({ pid, base_url }) => {
    const where = base_url ? ` at ${base_url}` : ''
    return `Storekeep already runs here${where} (process ${pid}). Stop it first.`
  })
  scope.onEnd(lock.release)
  await checkPort('PORT', settings.port, settings.host)
  await checkPort('PAGES_PORT', settings.pagesPort, settings.host)
  if (args.includes('--reset')) reset(settings)
  rotateLogs()

  const secrets = loadSecrets(paths.secrets)
  const bundles = options.runsSources ? undefined : bundleProcesses(scope.progress)
  const [infra] = await Promise.all([startInfra(scope, settings, { ...paths, secrets }), bundles])
  if (!settings.databaseUrl) {
    await guardDisk({ folder: paths.data, setReadOnly: createReadOnlySwitch(infra.databaseUrl) }, scope)
  }
  const { step } = scope.progress
  await step('database schemas and roles', () =>
    provisionDatabases(infra.databaseUrl, secrets, settings.databaseUrl ? 'DATABASE_URL' : 'Postgres'),
  )
  const { processes: described, baseUrl, addresses } = await describeProcesses({ settings, secrets, infra })
  const processes = bundles ? described.map(bundled) : described
  const running = await startProcesses(scope, processes)
  const stores = await step('demo stores', () =>
    seed({ storesAddress: addresses.stores, identity: adminIdentity(paths.secrets), baseUrl }),
  )
  const [store] = stores
  const checkoutUrl = store && (await step('demo checkout', () => createDemoCheckout(store, baseUrl)))
  lock.describe({ base_url: baseUrl, addresses: addressSettings(addresses), metrics: metricsUrls(processes) })
  const programs = options.runsSources ? [] : processes.map((one) => toProgram(one, running))
  const supervised = [...infra.servers, ...programs].map((program) => supervise(program, scope))
  return {
    processes,
    running,
    summary: summary(baseUrl, stores, paths.data, checkoutUrl),
    failed: Promise.all(supervised).then(() => 0),
  }
}

/** Starts one process in the environment of this command; `waitUntilServing` tells when it is ready. */
export function startProcess({
  name,
  folder,
  main = `${folder}/src/main.ts`,
  env,
}: ProcessDescription): Promise<Child> {
  const logFile = join(paths.logs, `${name}.log`)
  return startNode(name, { main, env: { ...process.env, ...env }, logFile })
}

function metricsUrls(processes: readonly ProcessDescription[]): Record<string, string> {
  return Object.fromEntries(processes.map(({ name, readyUrl }) => [name, new URL('/metrics', readyUrl).href]))
}

async function checkPort(name: 'PORT' | 'PAGES_PORT', port: number, host: string): Promise<void> {
  if (await isPortFree(port, host)) return reservePort(port)
  const free = await nextFreePort(port, host)
  const remedy = free === undefined ? `set ${name} to another one` : `choose another: ${name}=${free} npm start`
  throw new SetupError(`Port ${port} on ${host} is already in use. Stop whatever uses it, or ${remedy}`)
}

/** Deletes the data, except for the lock, which this process holds, and the folders of test runs. */
function reset({ databaseUrl }: Settings): void {
  if (databaseUrl) {
    throw new SetupError(
      'DATABASE_URL: --reset deletes .data/ only, never the data in your own database. Empty that database yourself.',
    )
  }
  for (const name of readdirSync(paths.data)) {
    if (name !== 'test' && !name.startsWith('running.json'))
      rmSync(join(paths.data, name), { recursive: true, force: true })
  }
}

function rotateLogs(): void {
  mkdirSync(paths.logs, { recursive: true })
  for (const name of readdirSync(paths.logs)) {
    if (!name.endsWith('.log') || name.endsWith('.previous.log')) continue
    renameSync(join(paths.logs, name), join(paths.logs, name.replace(/\.log$/, '.previous.log')))
  }
}

/** Starts all processes at once, because each waits for the others itself. */
async function startProcesses(scope: Scope, processes: readonly ProcessDescription[]): Promise<Map<string, Child>> {
  const running = new Map<string, Child>()
  scope.onEnd(async () => {
    // The gateway stops first: the requests in flight still need the services.
    await running.get('gateway')?.stop()
    await Promise.all([...running.values()].map((child) => child.stop()))
  })
  await Promise.all(
    processes.map((description) =>
      scope.progress.step(description.name, async () => {
        const child = await startProcess(description)
        running.set(description.name, child)
        await waitUntilServing(child, description.readyUrl)
      }),
    ),
  )
  return running
}

async function seed(options: Omit<Parameters<typeof seedDemo>[0], 'file'>) {
  try {
    return await seedDemo({ ...options, file: paths.demo })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`Cannot create the demo stores (${reason}).`)
  }
}

/** Keeps `running` up to date, so that the end of the command stops the latest process. */
function toProgram(description: ProcessDescription, running: Map<string, Child>): Program {
  const { name } = description
  function current(): Child {
    const child = running.get(name)
    if (!child) throw new Error(`${name} was never started`)
    return child
  }
  return {
    name,
    get current() {
      return current()
    },
    restart: async () => {
      running.set(name, await startProcess(description))
      await waitUntilServing(current(), description.readyUrl)
    },
  }
}

interface StartOptions {
  /** Runs the sources instead of bundles and leaves restarts to the caller, for `npm run dev`. */
  runsSources?: boolean
}

export interface System {
  processes: readonly ProcessDescription[]
  running: Map<string, Child>
  summary: string
  /** Rejects when a program exits again and again. */
  failed: Promise<number>
}

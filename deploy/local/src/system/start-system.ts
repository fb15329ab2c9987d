import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertPortFree } from '../../bootstrap/ports.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import { reservePort } from '../infra/ports.ts'
import { startMailbox } from '../mailbox/start-mailbox.ts'
import { paths } from '../paths.ts'
import type { Child } from '../processes/child.ts'
import { startNode, waitUntilServing } from '../processes/start-node.ts'
import type { Scope } from '../run-command.ts'
import { bundled, bundleProcesses } from './bundle-processes.ts'
import { cellSettings, readCells } from './cells.ts'
import { createDemoCheckout } from './demo-checkout.ts'
import { startDemoSite } from './demo-site.ts'
import { describeProcesses, type ProcessDescription, provisionDatabases } from './describe-processes.ts'
import { startInfra } from './infra.ts'
import { takeLock } from './lock.ts'
import { waitForPostgres } from './reachable.ts'
import { adminIdentity, loadSecrets } from './secrets.ts'
import { seedDemo } from './seed.ts'
import { baseUrlOf, readSettings, type Settings } from './settings.ts'
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
  for (const [name, port, host] of [
    ['PORT', settings.port, settings.host],
    ['PAGES_PORT', settings.pagesPort, settings.host],
    ['DEMO_PORT', settings.demoPort, '127.0.0.1'],
    ['MAILBOX_PORT', settings.mailboxPort, settings.host],
  ] as const) {
    await assertPortFree(name, port, host)
    await reservePort(port)
  }
  const numbers = readCells(args, settings)
  if (args.includes('--reset')) reset(settings)
  rotateLogs()

  const secrets = loadSecrets(paths.secrets)
  const bundles = options.runsSources ? undefined : bundleProcesses(scope.progress)
  const [first] = await Promise.all([startInfra(scope, settings, { ...paths, secrets }), bundles])
  const others = numbers.slice(1).map((cell) => startInfra(scope, {}, { ...placeOf(cell), secrets, cell }, first))
  const infra = [first, ...(await Promise.all(others))] as const
  const { step } = scope.progress
  await step('database schemas and roles', async () => {
    const setting = settings.databaseUrl ? 'DATABASE_URL' : 'Postgres'
    for (const { databaseUrl } of infra) await provisionDatabases(databaseUrl, secrets, setting)
  })
  const mailboxUrl = baseUrlOf({ host: settings.host, port: settings.mailboxPort })
  const mailbox = await startMailbox({
    host: settings.host,
    port: settings.mailboxPort,
    origin: mailboxUrl,
    smtpPort: await freePort(),
  })
  scope.onEnd(mailbox.close)
  const { smtpUrl } = mailbox
  const description = await describeProcesses({ settings, secrets, infra, smtpUrl })
  const { processes: described, baseUrl, pagesUrl, cells } = description
  const processes = bundles ? described.map(bundled) : described
  const running = await startProcesses(scope, processes)
  const site = await startDemoSite(settings.demoPort)
  scope.onEnd(site.stop)
  const identity = adminIdentity(paths.secrets)
  const demo = await step('demo stores', () =>
    Promise.all(
      cells.map(async ({ cell, addresses }) => {
        const file = join(placeOf(cell).data, 'demo.json')
        const options = { storesAddress: addresses.stores, identity, baseUrl, file, siteUrl: site.url, cell }
        return { cell, stores: await seed(options) }
      }),
    ),
  )
  const store = demo[0]?.stores[0]
  const checkoutUrl = store && (await step('demo checkout', () => createDemoCheckout(store, baseUrl)))
  lock.describe({
    base_url: baseUrl,
    cells: numbers,
    addresses: cellSettings(cells),
    metrics: Object.fromEntries(processes.map(({ name, metricsUrl }) => [name, metricsUrl])),
  })
  const programs = options.runsSources ? [] : processes.map((one) => toProgram(one, running))
  const servers = infra.flatMap((one) => one.servers)
  const supervised = [...servers, ...programs].map((program) => supervise(program, scope))
  return {
    processes,
    running,
    summary: summary({ baseUrl, pagesUrl, checkoutUrl, mailboxUrl }, demo, paths.data),
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

/** The folders of a cell. Cell 0 has no separate data folder. */
function placeOf(cell: number): { data: string; logs: string } {
  return { data: cell === 0 ? paths.data : join(paths.data, `cell-${cell}`), logs: paths.logs }
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

/** Starts all processes concurrently, because each waits for the others itself. */
async function startProcesses(scope: Scope, processes: readonly ProcessDescription[]): Promise<Map<string, Child>> {
  const running = new Map<string, Child>()
  scope.onEnd(async () => {
    // The gateway stops first: the requests in flight still need the services.
    await running.get('gateway')?.stop()
    await Promise.all([...running.values()].map((child) => child.stop()))
  })
  async function start(description: ProcessDescription): Promise<void> {
    const child = await startProcess(description)
    running.set(description.name, child)
    await waitUntilServing(child, description.readyUrl)
  }
  const { step } = scope.progress
  const cells = Map.groupBy(processes, ({ env }) => Number(env.CELL ?? 0))
  const steps = [...cells].flatMap(([cell, descriptions]) =>
    cell === 0
      ? descriptions.map((one) => ({ name: one.name, descriptions: [one] }))
      : [{ name: `services of cell ${cell}`, descriptions }],
  )
  await Promise.all(steps.map((one) => step(one.name, () => Promise.all(one.descriptions.map(start)))))
  return running
}

async function seed(options: Parameters<typeof seedDemo>[0]) {
  try {
    return await seedDemo(options)
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
      const { DATABASE_URL } = description.env
      if (DATABASE_URL) await waitForPostgres(DATABASE_URL)
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

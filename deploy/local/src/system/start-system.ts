import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { isPortFree } from '../infra/ports.ts'
import { paths } from '../paths.ts'
import { type Child, lastLines } from '../processes/child.ts'
import type { Scope } from '../run-command.ts'
import { addressSettings } from '../services.ts'
import { startInfra } from './infra.ts'
import { takeLock } from './lock.ts'
import { type MemberProcess, startMember } from './member-process.ts'
import { describeMembers, type Member, provisionDatabases } from './members.ts'
import { loadSecrets } from './secrets.ts'
import { seedDemo } from './seed.ts'
import { readSettings, type Settings } from './settings.ts'
import { summary } from './summary.ts'

/** Brings everything up, step by step, and undoes it when the command ends. */
export async function startSystem(scope: Scope, args: readonly string[], options: StartOptions = {}): Promise<System> {
  const settings = readSettings(process.env)
  const lock = takeLock(paths.running, ({ pid, base_url }) => {
    const where = base_url ? ` at ${base_url}` : ''
    return `Storekeep already runs here${where} (process ${pid}). Stop that one first.`
  })
  scope.onEnd(lock.release)
  await checkPort(settings)
  if (args.includes('--reset')) reset(settings)
  keepOldLogs()

  const infra = await startInfra(scope, settings, paths)
  const secrets = loadSecrets(paths.secrets)
  const { step } = scope.progress
  await step('database schemas and roles', () =>
    provisionDatabases(infra.databaseUrl, secrets, settings.databaseUrl ? 'DATABASE_URL' : 'Postgres'),
  )
  const { members, baseUrl, addresses } = await describeMembers({ settings, secrets, infra })
  const running = await startMembers(scope, members)
  const stores = await step('demo stores', () => seed({ storesAddress: addresses.stores, baseUrl }))
  lock.describe({ base_url: baseUrl, addresses: addressSettings(addresses), metrics: metricsUrls(members) })
  const watched = [...infra.servers, ...(options.membersMayEnd ? [] : running.values())]
  return {
    members,
    running,
    summary: summary(baseUrl, stores, paths.data),
    failed: Promise.race(watched.map((child) => failureOf(child, scope))),
  }
}

function metricsUrls(members: readonly Member[]): Record<string, string> {
  return Object.fromEntries(members.map(({ name, readyUrl }) => [name, new URL('/metrics', readyUrl).href]))
}

async function checkPort({ port, host }: Settings): Promise<void> {
  if (await isPortFree(port, host)) return
  throw new SetupError(
    `PORT: ${host}:${port} cannot be listened on; something else may use it. Stop that, or choose another: PORT=${port + 1} npm start`,
  )
}

/** The lock, which is ours, and what tests keep stay. */
function reset({ databaseUrl }: Settings): void {
  if (databaseUrl) {
    throw new SetupError(
      'DATABASE_URL: --reset deletes only .data/, never a database of yours. Empty that one yourself.',
    )
  }
  for (const name of readdirSync(paths.data)) {
    if (name !== 'test' && !name.startsWith('running.json'))
      rmSync(join(paths.data, name), { recursive: true, force: true })
  }
}

function keepOldLogs(): void {
  mkdirSync(paths.logs, { recursive: true })
  for (const name of readdirSync(paths.logs)) {
    if (!name.endsWith('.log') || name.endsWith('.previous.log')) continue
    renameSync(join(paths.logs, name), join(paths.logs, name.replace(/\.log$/, '.previous.log')))
  }
}

/** All at once: each waits for the others by itself. */
async function startMembers(scope: Scope, members: readonly Member[]): Promise<Map<string, MemberProcess>> {
  const running = new Map<string, MemberProcess>()
  scope.onEnd(async () => {
    // The gateway first: it lets the requests in flight finish while the services are still there.
    await running.get('gateway')?.stop()
    await Promise.all([...running.values()].map((child) => child.stop()))
  })
  await Promise.all(
    members.map((member) =>
      scope.progress.step(member.name, async () => {
        const child = await startMember(member)
        running.set(member.name, child)
        await child.ready()
      }),
    ),
  )
  return running
}

async function seed(options: { storesAddress: string; baseUrl: string }) {
  try {
    return await seedDemo({ ...options, file: paths.demo })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`The demo stores could not be made (${reason}).`)
  }
}

async function failureOf(
  child: Pick<Child, 'name' | 'logFile'> & { exited: Promise<unknown> },
  scope: Scope,
): Promise<number> {
  await child.exited
  if (scope.stopping.aborted) return 0
  throw new SetupError(
    `${child.name} ended unexpectedly, so everything stops. Its log: ${child.logFile}`,
    lastLines(child),
  )
}

interface StartOptions {
  /** For `npm run dev`: the end of a service or the gateway does not end the system. */
  membersMayEnd?: boolean
}

export interface System {
  members: readonly Member[]
  running: Map<string, MemberProcess>
  summary: string
  /** Rejects when a process ends on its own. */
  failed: Promise<number>
}

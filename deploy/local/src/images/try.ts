import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import { paths } from '../paths.ts'
import type { Scope } from '../run-command.ts'
import { addressSettings } from '../services.ts'
import { startInfra } from '../system/infra.ts'
import { describeMembers, type Member } from '../system/members.ts'
import { loadSecrets } from '../system/secrets.ts'
import { readSettings } from '../system/settings.ts'
import { type Containers, containers } from './container.ts'
import type { Engine } from './engine.ts'
import { imageName } from './image-members.ts'
import { walkSignIn } from './walk.ts'

/**
 * Runs the whole system from its images, confined as in a cluster, beside real servers: migrates, makes a store by the
 * admin command in the image, walks the sign-in flow and ends everything. Prints the size and the start of each.
 */
export async function tryImages(scope: Scope, engine: Engine): Promise<number> {
  const { step } = scope.progress
  if (process.platform !== 'linux') throw new SetupError('Containers reach servers on this machine on Linux only.')
  const place = join(paths.test, String(process.pid))
  mkdirSync(place, { recursive: true, mode: 0o700 })
  scope.onEnd(() => rmSync(place, { recursive: true, force: true }))

  const settings = { ...readSettings({ ...process.env, PORT: String(await freePort()) }), host: '127.0.0.1' }
  const infra = await startInfra(scope, settings, { data: place, logs: place, fast: true })
  const secrets = loadSecrets(join(place, 'secrets.json'))
  const { members, baseUrl, addresses } = await describeMembers({ settings, secrets, infra })
  for (const member of members)
    if (!(await engine.has(imageName(member))))
      throw new SetupError(`${imageName(member)} is not there. Make it: npm run images -- build ${member.name}`)

  const run = containers(engine, place, `storekeep-try-${process.pid}`)
  for (const member of members.filter(({ name }) => name !== 'gateway')) {
    await step(`migrations of ${member.name}`, () => migrate(run, member, infra.databaseUrl))
  }
  const rows: Row[] = []
  for (const member of members) {
    scope.onEnd(() => run.remove(member.name))
    await step(member.name, async () => rows.push(await startAndInspect(run, engine, member)))
  }
  await step('sign-in walk', async () => {
    const admin = async (...args: string[]) =>
      JSON.parse(
        await run.runToEnd('admin-tools', imageName({ name: 'admin-tools' }), addressSettings(addresses), [
          'node',
          'services/admin-tools/src/main.ts',
          ...args,
          '--json',
        ]),
      )
    const store = await admin('create-store', '--slug=try', '--name=Try', '--game=rust', '--currency=usd')
    const { key } = await admin('create-key', '--store=try', '--name=try')
    await walkSignIn({ baseUrl, storeId: store.id, key })
  })
  // The gateway first: it lets requests finish while the services are still there.
  for (const { name } of members.toReversed()) {
    await step(`end of ${name}`, async () =>
      assert.equal(await run.stop(name), 0, `${name} ended with another code than 0.`),
    )
  }
  console.log(table(rows))
  return 0
}

async function migrate(run: Containers, member: Member, databaseUrl: string): Promise<void> {
  const env = { DATABASE_URL: member.env.DATABASE_URL ?? '', DATABASE_ADMIN_URL: databaseUrl }
  await run.runToEnd(`${member.name}-migrations`, imageName(member), env, ['node', `${member.folder}/src/migrate.ts`])
}

async function startAndInspect(run: Containers, engine: Engine, member: Member): Promise<Row> {
  const started = performance.now()
  await run.start(member.name, imageName(member), { ...member.env, MIGRATE: 'false' })
  await run.waitFor(member.name, member.readyUrl, 120_000)
  const readyMs = performance.now() - started

  const script = readFileSync(new URL('inspect-container.ts', import.meta.url), 'utf8')
  const found = JSON.parse(await run.exec(member.name, ['node', '--input-type=module-typescript', '--eval', script]))
  const { uid, packageBytes, sourceBytes, ...kept } = found
  assert.ok(uid >= 10_000, `${member.name} runs as user ${uid}.`)
  assert.deepEqual(kept, {
    capabilities: '0000000000000000',
    noNewPrivileges: '1',
    mayWrite: ['/tmp'],
    programs: [],
    tests: [],
    members: ['proto', 'services/common', member.folder].sort(),
  })
  const bytes = Number(await engine.tell('image', 'inspect', '--format={{.Size}}', imageName(member)))
  return { image: imageName(member), bytes, packageBytes, sourceBytes, readyMs }
}

/** Sizes as they lie on the disk; the base is the same for all and kept once. */
function table(rows: readonly Row[]): string {
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(9)
  const lines = rows.map(({ image, bytes, packageBytes, sourceBytes, readyMs }) => {
    const base = bytes - packageBytes - sourceBytes
    return `${image.padEnd(36)}${[bytes, base, packageBytes, sourceBytes].map(mb).join('')}${(readyMs / 1000).toFixed(2).padStart(9)}`
  })
  const heads = ['MB', 'base', 'packages', 'sources', 'ready s'].map((head) => head.padStart(9)).join('')
  return ['', `${'image'.padEnd(36)}${heads}`, ...lines].join('\n')
}

interface Row {
  image: string
  bytes: number
  packageBytes: number
  sourceBytes: number
  /** From the order to run the container to its readiness. */
  readyMs: number
}

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { packageNames, readSboms, type Sbom } from '../audit/sbom.ts'
import { freePort } from '../infra/index.ts'
import { paths } from '../paths.ts'
import type { Scope } from '../run-command.ts'
import { cellSettings } from '../system/cells.ts'
import { describeProcesses, type ProcessDescription } from '../system/describe-processes.ts'
import { startInfra } from '../system/infra.ts'
import { adminCallKeys, loadSecrets } from '../system/secrets.ts'
import { readSettings } from '../system/settings.ts'
import { type Containers, containers } from './container.ts'
import type { Engine } from './engine.ts'
import { type ImagePackage, imageName } from './image-packages.ts'
import { openCheckoutPage } from './open-checkout-page.ts'
import { runSignInFlow } from './sign-in-flow.ts'

/**
 * Runs the whole system from its images with the restrictions of the chart's pods, against real servers: migrates,
 * creates a store with the admin-tools image, runs the sign-in flow, opens a checkout page and stops everything. Prints the
 * size and the start time of each image.
 */
export async function tryImages(scope: Scope, engine: Engine): Promise<number> {
  const { step } = scope.progress
  if (process.platform !== 'linux')
    throw new SetupError(
      'npm run images -- try works on Linux only, because the containers use the network of the host.',
    )
  const folder = join(paths.test, String(process.pid))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  scope.onEnd(() => rmSync(folder, { recursive: true, force: true }))

  const settings = { ...readSettings({ ...process.env, PORT: String(await freePort()) }), host: '127.0.0.1' }
  const infra = await startInfra(scope, settings, { data: folder, logs: folder, fast: true })
  const secretsFile = join(folder, 'secrets.json')
  const secrets = loadSecrets(secretsFile)
  const { processes, baseUrl, cells } = await describeProcesses({ settings, secrets, infra: [infra] })
  for (const { name } of [...processes, { name: 'admin-tools' }])
    if (!(await engine.has(imageName({ name }))))
      throw new SetupError(`The image ${imageName({ name })} is missing. Build it: npm run images -- build ${name}`)

  const run = containers(engine, folder, `storekeep-try-${process.pid}`)
  for (const service of processes.filter(({ env }) => env.DATABASE_URL !== undefined)) {
    await step(`migrations of ${service.name}`, () => migrate(run, service, infra.databaseUrl))
  }
  const rows: Row[] = []
  const sboms = await readSboms()
  for (const one of processes) {
    scope.onEnd(() => run.remove(one.name))
    await step(one.name, async () => {
      const readyMs = await start(run, one)
      const found = await run.exec(one.name, inspection)
      rows.push(await inspected(engine, sboms, one, found, readyMs))
    })
  }
  await step('admin-tools', async () => {
    const name = 'admin-tools'
    const started = performance.now()
    await run.runToEnd(name, imageName({ name }), {}, ['node', 'main.js', '--help'])
    const readyMs = performance.now() - started
    const found = await run.runToEnd(name, imageName({ name }), {}, inspection)
    rows.push(await inspected(engine, sboms, { name, folder: 'services/admin-tools' }, found, readyMs))
  })
  await step('sign-in flow and checkout page', async () => {
    const adminSettings = { ...cellSettings(cells), CALL_KEYS: adminCallKeys(secretsFile) }
    const admin = async (...args: string[]) =>
      JSON.parse(
        await run.runToEnd('admin-tools', imageName({ name: 'admin-tools' }), adminSettings, [
          'node',
          'services/admin-tools/src/main.ts',
          ...args,
          '--json',
        ]),
      )
    const store = await admin('create-store', '--slug=try', '--name=Try', '--game=rust', '--currency=usd')
    const { key } = await admin('create-key', '--store=try', '--name=try')
    await runSignInFlow({ baseUrl, storeId: store.id, key })
    await openCheckoutPage({ baseUrl, storeId: store.id, key })
  })
  // The gateway stops first: the requests in flight still need the services.
  for (const { name } of processes.toReversed()) {
    await step(`stop of ${name}`, async () =>
      assert.equal(await run.stop(name), 0, `The exit code of ${name} is not 0.`),
    )
  }
  console.log(table(rows))
  return 0
}

async function migrate(run: Containers, service: ProcessDescription, databaseUrl: string): Promise<void> {
  const env = { DATABASE_URL: service.env.DATABASE_URL ?? '', DATABASE_ADMIN_URL: databaseUrl }
  await run.runToEnd(`${service.name}-migrations`, imageName(service), env, [
    'node',
    `${service.folder}/src/migrate.ts`,
  ])
}

/** @returns the milliseconds until the process is ready */
async function start(run: Containers, one: ProcessDescription): Promise<number> {
  const started = performance.now()
  await run.start(one.name, imageName(one), { ...one.env, MIGRATE: 'false' })
  await run.waitFor(one.name, one.readyUrl, 120_000)
  return performance.now() - started
}

/** Compares what `inspect-container.ts` found in a container with what every image guarantees. */
async function inspected(
  engine: Engine,
  sboms: readonly Sbom[],
  { name, folder }: ImagePackage,
  found: string,
  readyMs: number,
): Promise<Row> {
  const { uid, packageBytes, sourceBytes, packages, ...properties } = JSON.parse(found)
  assert.ok(uid >= 10_000, `${name} runs as user ${uid}.`)
  assert.deepEqual(properties, {
    capabilities: '0000000000000000',
    noNewPrivileges: '1',
    writable: ['/tmp'],
    programs: [],
    tests: [],
    workspacePackages: ['proto', 'services/common', folder].sort(),
  })
  const sbom = sboms.find(({ image }) => image === name)
  assert.deepEqual(packages, sbom && packageNames(sbom), `The SBOM of ${name} differs from the packages in its image.`)
  const bytes = Number(await engine.run('image', 'inspect', '--format={{.Size}}', imageName({ name })))
  return { image: imageName({ name }), bytes, packageBytes, sourceBytes, readyMs }
}

const inspection = [
  'node',
  '--input-type=module-typescript',
  '--eval',
  readFileSync(new URL('inspect-container.ts', import.meta.url), 'utf8'),
]

/** Sizes on disk; all images share the base. */
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
  /** Time from starting the container until it is ready; for admin-tools, until it has printed its help. */
  readyMs: number
}

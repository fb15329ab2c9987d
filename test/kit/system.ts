import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addressSettings,
  forEachService,
  newKey,
  newSecretSettings,
  type ServiceName,
  secretSettingsOf,
  services,
} from '@storekeep/local/services'
import { type Connection, connectTo, type SystemAddress } from './connection.ts'
import { createSystemDatabase } from './database.ts'
import { type Infra, openInfra, type ServerKind } from './infra.ts'
import { createSecretsRecord } from './secrets.ts'
import { type ServiceProcess, type Settings, startServiceProcess } from './service-process.ts'
import { deleteStream } from './stream.ts'
import type { SystemTls } from './tls.ts'

/**
 * Starts the whole product for one test: its own database, stream and Redis keys, every service
 * and any number of gateways, each a process of its own, and waits until all are ready.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const directory = mkdtempSync(join(tmpdir(), 'storekeep-test-'))
  // Postgres does not run as root; the user that it runs as then has to get through.
  chmodSync(directory, 0o711)
  const runName = `test_${randomBytes(5).toString('hex')}`
  const stops: (() => Promise<unknown>)[] = [async () => discard(directory)]
  try {
    return await start(options, directory, runName, stops)
  } catch (error) {
    await stopAll(stops)
    throw error
  }
}

async function start(
  options: SystemOptions,
  directory: string,
  runName: string,
  stops: (() => Promise<unknown>)[],
): Promise<System> {
  const { settings = {}, gateways = [{}], only, tls } = options
  const started = services.filter(({ name }) => only?.includes(name) ?? true)
  const infra = await openInfra(directory, options.own ?? [])
  stops.push(() => infra.close())
  const schemas = [...services.map(({ name }) => name), ...(options.schemas ?? [])]
  const database = await createSystemDatabase(infra.adminUrl, runName, schemas)
  stops.push(() => database.drop().catch(ignoreWhenBroken))
  const stream = runName.toUpperCase()
  stops.push(() => deleteStream(infra.natsUrl, stream).catch(ignoreWhenBroken))
  const redisKeyPrefix = `${runName}:`

  const redis: Settings = { REDIS_URL: infra.redisUrl, REDIS_KEY_PREFIX: redisKeyPrefix }
  const shared: Settings = { ...redis, NATS_URL: infra.natsUrl, EVENTS_STREAM: stream, LOG_LEVEL: 'debug' }
  const keys = { encryption: forEachService(newKey), own: newSecretSettings() }

  async function launch(options: Omit<Parameters<typeof startServiceProcess>[0], 'logFile'>): Promise<ServiceProcess> {
    const process = await startServiceProcess({ ...options, logFile: join(directory, `${options.name}.log`) })
    stops.push(() => process.stop())
    return process
  }

  const running: Partial<Record<ServiceName, ServiceProcess>> = {}
  const addresses = forEachService(() => nobody)
  // One after another, in the order of the list, so that each knows the addresses of those that it calls.
  for (const { name, calls } of started) {
    const process = await launch({
      name,
      member: `services/${name}`,
      portSetting: 'GRPC_PORT',
      readyPortSetting: 'METRICS_PORT',
      settings: {
        ...shared,
        DATABASE_URL: database.urlOf(name),
        ENCRYPTION_KEY: keys.encryption[name],
        ...secretSettingsOf(name, keys.own),
        ...addressSettings(addresses, calls),
        ...(tls && { ...tls.settingsOf(name), GRPC_TLS_CALLERS: tls.callersOf(name).join() }),
        ...ownSettings[name],
        ...settings[name],
      },
    })
    running[name] = process
    // By its name, which is what a certificate holds for.
    addresses[name] = tls ? `localhost:${process.port}` : process.address
  }
  const processes = running as Record<ServiceName, ServiceProcess>
  const customersAddress = (await options.customersAddress?.(addresses.customers)) ?? addresses.customers
  const gatewayProcesses = await Promise.all(
    gateways.map((own, index) =>
      launch({
        name: `gateway-${index}`,
        member: 'gateway',
        portSetting: 'PORT',
        settings: {
          ...redis,
          LOG_LEVEL: 'debug',
          ...addressSettings({ ...addresses, customers: customersAddress }),
          ...tls?.settingsOf('gateway'),
          ...settings.gateway,
          ...own,
        },
      }),
    ),
  )

  const address: SystemAddress = {
    gatewayUrls: gatewayProcesses.map(({ url }) => url),
    metricsUrls: [...Object.values(processes), ...gatewayProcesses].map(({ metricsUrl }) => metricsUrl),
    storesAddress: addresses.stores,
    ...(tls && { tls: tls.filesOf('gateway') }),
    secretsFile: join(directory, 'issued-secrets'),
    logDirectory: directory,
    adminUrl: database.adminUrl,
    redisUrl: infra.redisUrl,
    redisKeyPrefix,
  }
  const secrets = createSecretsRecord(address.secretsFile)
  for (const [name, key] of Object.entries({ ...keys.encryption, ...keys.own }))
    secrets.add(`${name}-key`, key.replace(/^\d+:/, ''))
  for (const password of database.passwords) secrets.add('database-password', password)
  const connection = await connectTo(address)
  stops.push(async () => connection.disconnect())
  return {
    ...connection,
    address,
    infra,
    ...processes,
    gateways: gatewayProcesses,
    stream,
    databaseUrlOf: database.urlOf,
    stop: () => stopAll(stops),
  }
}

/** In the reverse order of the start; one that fails does not keep the others running. */
async function stopAll(stops: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'The system did not stop cleanly.')
}

/** Cleaning up in a server that the test has broken for good is in vain, and it goes away anyhow. */
function ignoreWhenBroken(): void {}

function discard(directory: string): void {
  if (!process.env.TEST_KEEP_LOGS) rmSync(directory, { recursive: true, force: true })
}

/** Settings that the tests count on. */
const ownSettings: Partial<Record<ServiceName, Settings>> = {
  customers: { PORTAL_BASE_URL: 'https://portal.example.com' },
  checkout: { CHECKOUT_BASE_URL: 'https://checkout.example.com' },
}

/** An address at which nobody answers. */
const nobody = '127.0.0.1:9'

export interface SystemOptions {
  /** The services that the test needs, with those that they call; all unless given. The others answer nobody. */
  only?: readonly ServiceName[]
  /** One entry of own settings per gateway process; one gateway unless given. */
  gateways?: readonly Settings[]
  /** Servers that only this system uses, so that the test may break them. */
  own?: readonly ServerKind[]
  settings?: Partial<Record<ServiceName | 'gateway', Settings>>
  /** Schemas for parts of the test itself, each with a role of its own. */
  schemas?: readonly string[]
  /** Makes calls between the processes TLS, both ways. */
  tls?: SystemTls
  /** Puts something of the test between the gateways and the customers service: gets its address, answers another. */
  customersAddress?: (actual: string) => Promise<string>
}

export interface System extends Connection, Readonly<Record<ServiceName, ServiceProcess>> {
  readonly address: SystemAddress
  readonly infra: Infra
  readonly gateways: readonly ServiceProcess[]
  /** Name of the JetStream stream. */
  readonly stream: string
  /** The system's database as the owner of that schema: "stores", "customers", or one of the test's own. */
  databaseUrlOf(schema: string): string
  /** Ends everything and removes what it kept (TEST_KEEP_LOGS keeps the logs). */
  stop(): Promise<void>
}

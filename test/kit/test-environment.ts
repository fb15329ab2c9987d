import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { createTestDatabase } from '@storekeep/common/testing/database'
import { testCallSecret } from '@storekeep/common/testing/identity'
import { startSmtpServer, type TestSmtpServer } from '@storekeep/common/testing/smtp-server'
import {
  addressSettings,
  forEachService,
  gateway,
  newKey,
  newSecretSettings,
  pages,
  type ServiceName,
  secretSettingsOf,
  services,
} from '@storekeep/local/services'
import { callerNames, serverNames } from '@storekeep/proto/conventions/call-rights'
import { type Connection, connectTo } from './connection.ts'
import { type Infra, openInfra, type ServerKind } from './infra.ts'
import { createSecretsRecord } from './secrets.ts'
import { type PgBouncerOptions, startPgBouncer } from './servers/index.ts'
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  type Settings,
  type SharedProcess,
  startInOneProcess,
  startServiceProcess,
} from './service-process.ts'
import type { Replication, Standby } from './standby.ts'
import { deleteStream } from './stream.ts'
import type { SystemAddress } from './system-address.ts'

/**
 * Prepares the environment of a test's processes: a log folder, a database, a stream, a Redis prefix and their settings.
 * `build` starts the processes in it. When that fails, everything is removed again.
 */
export async function inTestEnvironment<T>(
  options: EnvironmentOptions,
  build: (environment: TestEnvironment) => Promise<T>,
): Promise<T> {
  const stops: Stop[] = []
  try {
    return await build(await prepare(options, stops))
  } catch (error) {
    await stopAll(stops)
    throw error
  }
}

async function prepare(options: EnvironmentOptions, stops: Stop[]): Promise<TestEnvironment> {
  const directory = mkdtempSync(join(tmpdir(), 'storekeep-test-'))
  stops.push(async () => discard(directory))
  // Postgres does not run as root, and its user must be able to traverse the folder.
  chmodSync(directory, 0o711)
  const infra = await openInfra(directory, options.own ?? [], options.replication)
  stops.push(() => infra.close())
  const schemas = [...services.map(({ name }) => name), ...(options.schemas ?? [])]
  const { kept } = options
  const database = await createTestDatabase(schemas, {
    serverUrl: infra.adminUrl,
    ...(kept !== undefined && { kept: 'kept' }),
  })
  stops.push(() => database.drop().catch(ignoreWhenBroken))
  const pooler =
    options.pooler &&
    (await startPgBouncer({ dir: join(directory, 'pgbouncer'), serverUrl: infra.adminUrl, settings: options.pooler }))
  if (pooler) stops.push(() => pooler.stop())
  const throughPooler = (url: string) =>
    pooler ? formatDatabaseUrl({ ...parseDatabaseUrl(url), hosts: [{ host: '127.0.0.1', port: pooler.port }] }) : url
  const smtp = await startSmtpServer()
  stops.push(() => smtp.stop())
  const stream = database.name.toUpperCase()
  stops.push(() => deleteStream(infra.natsUrl, stream).catch(ignoreWhenBroken))
  const redisKeyPrefix = `${database.name}:`

  const redisOf = (name: string): Settings => ({ REDIS_URL: infra.redisUrlOf(name), REDIS_KEY_PREFIX: redisKeyPrefix })
  const shared: Settings = { EVENTS_STREAM: stream, LOG_LEVEL: 'debug' }
  const keys = keysIn(kept)

  return {
    infra,
    smtp,
    stream,
    redisKeyPrefix,
    databaseUrlOf: database.urlOf,
    throughPooler,
    serviceOptions: (name, { addresses, settings }) => ({
      folder: `services/${name}`,
      portSetting: 'GRPC_PORT',
      readyPortSetting: 'METRICS_PORT',
      settings: {
        ...shared,
        NATS_URL: infra.natsUrlOf(name),
        ...(services.find((service) => service.name === name)?.redis && redisOf(name)),
        DATABASE_URL: throughPooler(database.urlOf(name)),
        ...(options.replicaMaxLagMs !== undefined && {
          DATABASE_REPLICA_URL: onlyOn(infra.standby, database.urlOf(name)),
          DATABASE_REPLICA_MAX_LAG_MS: String(options.replicaMaxLagMs),
        }),
        CALL_KEYS: deriveCallKeys(testCallSecret, name),
        ENCRYPTION_KEY: keys.encryption[name],
        ...secretSettingsOf(name, keys.own),
        ...addressSettings(addresses, services.find((service) => service.name === name)?.calls),
        ...ownSettings[name],
        ...(name === 'emails' && emailSettings(smtp)),
        ...settings,
      },
    }),
    gatewayOptions: ({ addresses, settings }) => ({
      folder: 'gateway',
      portSetting: 'PORT',
      settings: {
        ...redisOf('gateway'),
        LOG_LEVEL: 'debug',
        CALL_KEYS: deriveCallKeys(testCallSecret, 'gateway'),
        ...addressSettings(addresses, gateway.calls),
        CHECKOUT_BASE_URL: checkoutBaseUrl,
        ...settings,
      },
    }),
    pagesOptions: ({ addresses, port, settings }) => ({
      folder: 'services/pages',
      portSetting: 'PORT',
      readyPortSetting: 'METRICS_PORT',
      port,
      settings: {
        LOG_LEVEL: 'debug',
        CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
        ...addressSettings(addresses, pages.calls),
        CHECKOUT_BASE_URL: `http://localhost:${port}/checkout`,
        PORTAL_BASE_URL: `http://localhost:${port}/portal`,
        STORE_BASE_URL: `http://localhost:${port}/store`,
        ...settings,
      },
    }),
    async launch(name, options) {
      const process = await startServiceProcess({ ...options, name, logFile: join(directory, `${name}.log`) })
      stops.push(() => process.stop())
      return process
    },
    async launchTogether(parts) {
      const process = await startInOneProcess(parts, join(directory, 'product.log'))
      stops.push(() => process.stop())
      return process
    },
    async connect({ retries = false, ...entrance }) {
      const address: SystemAddress = {
        ...entrance,
        adminCallKeys: deriveCallKeys(testCallSecret, 'admin-tools'),
        secretsFile: join(directory, 'issued-secrets'),
        logDirectory: directory,
        adminUrl: database.adminUrl,
        redisUrl: infra.redisUrl,
        redisKeyPrefix,
        natsUrl: infra.natsUrl,
        stream,
      }
      const secrets = createSecretsRecord(address.secretsFile)
      for (const [name, key] of Object.entries({ ...keys.encryption, ...keys.own }))
        secrets.add(`${name}-key`, key.replace(/^\d+:/, ''))
      for (const name of [...serverNames, ...callerNames])
        for (const [key = ''] of deriveCallKeys(testCallSecret, name).matchAll(/\w{64}/g)) secrets.add('call-key', key)
      secrets.add('database-password', database.password)
      const connection = await connectTo(address, { retries })
      stops.push(async () => connection.disconnect())
      return { ...connection, address }
    },
    beforeStop: (stop) => stops.push(stop),
    stop: () => stopAll(stops),
  }
}

/** Stops in reverse order of start, and continues when one fails. */
async function stopAll(stops: Stop[]): Promise<void> {
  const failures: unknown[] = []
  for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'The system did not stop cleanly.')
}

/** New keys, and the keys that encrypted the data of the folder. */
function keysIn(kept: string | undefined): EnvironmentKeys {
  const keys = { encryption: forEachService(newKey), own: newSecretSettings() }
  if (kept === undefined) return keys
  const file = join(kept, 'keys.json')
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as EnvironmentKeys
    Object.assign(keys.encryption, known.encryption)
    Object.assign(keys.own, known.own)
  }
  writeFileSync(file, JSON.stringify(keys), { mode: 0o600 })
  return keys
}

interface EnvironmentKeys {
  encryption: Record<ServiceName, string>
  own: Record<string, string>
}

function onlyOn(standby: Standby | undefined, url: string): string {
  if (!standby) throw new Error('A read replica needs the option replication.')
  return formatDatabaseUrl({
    ...parseDatabaseUrl(url),
    hosts: parseDatabaseUrl(standby.url).hosts,
    target: undefined,
  })
}

/** A server that the test has broken is discarded with its contents. */
function ignoreWhenBroken(): void {}

function discard(directory: string): void {
  if (!process.env.TEST_KEEP_LOGS) rmSync(directory, { recursive: true, force: true })
}

const checkoutBaseUrl = 'https://checkout.example.com'

/** Settings that tests rely on. */
const ownSettings: Partial<Record<ServiceName, Settings>> = {
  customers: { PORTAL_BASE_URL: 'https://portal.example.com', STORE_BASE_URL: 'https://shop.example.com' },
  checkout: { CHECKOUT_BASE_URL: checkoutBaseUrl },
  emails: { CHECKOUT_BASE_URL: checkoutBaseUrl },
  orders: { TEST_PAYMENTS: 'true' },
  webhooks: { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' },
  images: { IMAGES_ALLOW_HTTP: 'true', IMAGES_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' },
}

function emailSettings({ port }: TestSmtpServer): Settings {
  return { SMTP_URL: `smtp://127.0.0.1:${port}?starttls=optional`, EMAIL_FROM: 'shop@example.org' }
}

type Stop = () => Promise<unknown>

export interface EnvironmentOptions {
  /** Servers to start for this system alone, so that the test can break them. */
  own?: readonly ServerKind[]
  /** Adds a standby to the Postgres server, which must be in `own`. */
  replication?: Replication
  /** Services use the standby as read replica while it is at most this far behind. Default: they do not. */
  replicaMaxLagMs?: number
  /** Additional schemas for the test itself, each with a separate role. */
  schemas?: readonly string[]
  /** A folder that belongs to the database server. The next environment with it has the same database and keys. */
  kept?: string | undefined
  /** Puts PgBouncer with these settings between the services and Postgres. */
  pooler?: PgBouncerOptions['settings']
}

/** How a process is started, except for its name. */
export type LaunchOptions = Omit<ServiceProcessOptions, 'name' | 'logFile'>

interface ProcessInput {
  /** The address of each service. */
  addresses: Readonly<Record<ServiceName, string>>
  settings: Settings | undefined
}

export interface TestEnvironment {
  readonly infra: Infra
  /** Receives the emails of the emails service. */
  readonly smtp: TestSmtpServer
  /** The name of the JetStream stream. */
  readonly stream: string
  readonly redisKeyPrefix: string
  /** Connects as the owner of a schema: "stores", "customers", or one of `schemas`. */
  databaseUrlOf(schema: string): string
  /** Replaces the server in a URL by the pooler, if there is one. */
  throughPooler(url: string): string
  serviceOptions(name: ServiceName, input: ProcessInput): LaunchOptions
  gatewayOptions(input: ProcessInput): LaunchOptions
  /** The checkout is at `http://localhost:<port>/checkout`, the portal at `…/portal`, the store pages at `…/store`. */
  pagesOptions(input: ProcessInput & { port: number }): LaunchOptions
  /** Starts a process, which stops with the environment. */
  launch(name: string, options: LaunchOptions): Promise<ServiceProcess>
  /** Starts several parts in one process, which stops with the environment. */
  launchTogether(parts: readonly LaunchOptions[]): Promise<SharedProcess>
  /** Connects the test to the running system. */
  connect(
    entrance: Pick<
      SystemAddress,
      'gatewayUrls' | 'pagesUrl' | 'storesAddress' | 'ordersAddress' | 'metricsUrls' | 'tls'
    > & {
      retries?: boolean
    },
  ): Promise<Connection & { address: SystemAddress }>
  /** Adds a step to run before everything started so far is stopped. */
  beforeStop(stop: Stop): void
  stop(): Promise<void>
}

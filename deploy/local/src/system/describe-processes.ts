import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { provisionSchema } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import {
  addressSettings,
  forEachService,
  gateway,
  pages,
  publicPathSettings,
  secretSettingsOf,
  services,
} from '../services.ts'
import { type CellPlace, cellSettings, nameInCell } from './cells.ts'
import type { Infra } from './infra.ts'
import type { Secrets } from './secrets.ts'
import { baseUrlOf, type Settings } from './settings.ts'

/**
 * The processes of Storekeep, the gateway last, with the settings that connect them. Assigns a free port to each.
 * @param options.infra the servers of each cell, from 0
 */
export async function describeProcesses({
  settings,
  secrets,
  infra,
  smtpUrl,
}: SystemOptions): Promise<SystemDescription> {
  const baseUrl = baseUrlOf(settings)
  const pagesUrl = baseUrlOf({ host: settings.host, port: settings.pagesPort })
  const [pagesMetricsPort, gatewayMetricsPort] = [await freePort(), await freePort()]
  const cells: (CellPlace & { processes: ProcessDescription[] })[] = []
  for (const [cell, servers] of infra.entries()) {
    cells.push({ cell, ...(await describeServices(cell, servers, secrets, { pagesUrl, smtpUrl })) })
  }
  const pagesProcess = {
    name: 'pages',
    folder: 'services/pages',
    readyUrl: `http://127.0.0.1:${pagesMetricsPort}/readyz`,
    metricsUrl: metricsUrlOf(pagesMetricsPort),
    env: {
      ...cellSettings(cells, pages.calls),
      CALL_KEYS: deriveCallKeys(secrets.call_secret, 'pages'),
      HOST: settings.host,
      PORT: String(settings.pagesPort),
      METRICS_PORT: String(pagesMetricsPort),
      ...withoutOverridden({
        ...publicPathSettings('checkout', pagesUrl),
        ...publicPathSettings('customers', pagesUrl),
      }),
    },
  }
  const [first] = infra
  const gatewayProcess = {
    name: 'gateway',
    folder: 'gateway',
    readyUrl: `${baseUrl}/readyz`,
    metricsUrl: metricsUrlOf(gatewayMetricsPort),
    env: {
      ...cellSettings(cells, gateway.calls),
      CALL_KEYS: deriveCallKeys(secrets.call_secret, 'gateway'),
      REDIS_URL: first.redisUrlOf('gateway'),
      HOST: settings.host,
      PORT: String(settings.port),
      METRICS_PORT: String(gatewayMetricsPort),
      ...withoutOverridden({ PUBLIC_BASE_URL: baseUrl, ...publicPathSettings('checkout', pagesUrl) }),
    },
  }
  return {
    baseUrl,
    pagesUrl,
    cells,
    processes: [...cells.flatMap(({ processes }) => processes), pagesProcess, gatewayProcess],
  }
}

function metricsUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/metrics`
}

async function describeServices(
  cell: number,
  infra: Infra,
  secrets: Secrets,
  { pagesUrl, smtpUrl }: { pagesUrl: string; smtpUrl: string },
) {
  const ports = forEachService<{ grpc: number; metrics: number }>(() => ({ grpc: 0, metrics: 0 }))
  for (const { name } of services) ports[name] = { grpc: await freePort(), metrics: await freePort() }
  const addresses = forEachService((name) => `127.0.0.1:${ports[name].grpc}`)
  const processes = services.map(({ name, calls, redis }) => ({
    name: nameInCell(cell, name),
    folder: `services/${name}`,
    readyUrl: `http://127.0.0.1:${ports[name].metrics}/readyz`,
    metricsUrl: metricsUrlOf(ports[name].metrics),
    env: {
      CELL: String(cell),
      NATS_URL: infra.natsUrlOf(name),
      ...(redis && { REDIS_URL: infra.redisUrlOf(name) }),
      DATABASE_URL: databaseUrlOf(infra.databaseUrl, name, secrets.database_passwords[name]),
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(ports[name].grpc),
      METRICS_PORT: String(ports[name].metrics),
      CALL_KEYS: deriveCallKeys(secrets.call_secret, name),
      ENCRYPTION_KEY: secrets.encryption_keys[name],
      ...secretSettingsOf(name, secrets.settings),
      ...addressSettings(addresses, calls),
      ...withoutOverridden(publicPathSettings(name, pagesUrl)),
      ...(name === 'orders' && withoutOverridden({ TEST_PAYMENTS: 'true' })),
      ...(name === 'emails' &&
        withoutOverridden({
          SMTP_URL: smtpUrl,
          EMAIL_FROM: 'shop@example.org',
          ...publicPathSettings('checkout', pagesUrl),
        })),
      ...(name === 'webhooks' && withoutOverridden(requestsToThisMachine('WEBHOOKS'))),
      ...(name === 'images' && withoutOverridden(requestsToThisMachine('IMAGES'))),
    },
  }))
  return { addresses, processes }
}

/** Creates a schema and a role for each service. @param setting the setting to name in an error */
export async function provisionDatabases(adminUrl: string, secrets: Secrets, setting: string): Promise<void> {
  try {
    for (const [name, password] of Object.entries(secrets.database_passwords)) {
      await provisionSchema({ adminUrl, schema: name, role: roleOf(name), password })
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`${setting}: cannot create the schemas and roles of the services (${reason}).`)
  }
}

function roleOf(service: string): string {
  return `storekeep_${service}`
}

function databaseUrlOf(adminUrl: string, service: string, password: string): string {
  return formatDatabaseUrl({ ...parseDatabaseUrl(adminUrl), role: roleOf(service), password })
}

/** Allows webhooks to servers on this machine, and images from them, without TLS. */
function requestsToThisMachine(prefix: 'WEBHOOKS' | 'IMAGES'): Record<string, string> {
  return { [`${prefix}_ALLOW_HTTP`]: 'true', [`${prefix}_ALLOWED_NETWORKS`]: '127.0.0.0/8,::1/128' }
}

/** Omits the settings that the environment of this command overrides. */
function withoutOverridden(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !process.env[name]))
}

interface SystemOptions {
  settings: Settings
  secrets: Secrets
  infra: readonly [Infra, ...Infra[]]
  /** Where the services send emails. */
  smtpUrl: string
}

export interface ProcessDescription {
  /** Unique over all cells. */
  name: string
  /** Folder of the package in the repository. */
  folder: string
  /** The file to run, unless it is `src/main.ts` of the folder. */
  main?: string
  /** Returns 200 once the process can serve requests. */
  readyUrl: string
  metricsUrl: string
  env: Record<string, string>
}

export interface SystemDescription {
  baseUrl: string
  /** The address of the pages, for programs on this machine. */
  pagesUrl: string
  cells: readonly CellPlace[]
  processes: ProcessDescription[]
}

import { provisionSchema } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import {
  addressSettings,
  forEachService,
  publicPathSettings,
  type ServiceName,
  secretSettingsOf,
  services,
} from '../services.ts'
import type { Infra } from './infra.ts'
import type { Secrets } from './secrets.ts'
import { baseUrlOf, type Settings } from './settings.ts'

/** The processes of Storekeep in the order of their start, with every setting that they need to find each other. */
export async function describeMembers({ settings, secrets, infra }: MemberOptions): Promise<Members> {
  const baseUrl = baseUrlOf(settings)
  const ports = forEachService<{ grpc: number; metrics: number }>(() => ({ grpc: 0, metrics: 0 }))
  for (const { name } of services) ports[name] = { grpc: await freePort(), metrics: await freePort() }
  const addresses = forEachService((name) => `127.0.0.1:${ports[name].grpc}`)
  const serviceMembers = services.map(({ name, calls, redis }) => ({
    name,
    folder: `services/${name}`,
    readyUrl: `http://127.0.0.1:${ports[name].metrics}/readyz`,
    env: {
      NATS_URL: infra.natsUrl,
      ...(redis && { REDIS_URL: infra.redisUrl }),
      DATABASE_URL: serviceUrl(infra.databaseUrl, name, secrets.database_passwords[name]),
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(ports[name].grpc),
      METRICS_PORT: String(ports[name].metrics),
      ENCRYPTION_KEY: secrets.encryption_keys[name],
      ...secretSettingsOf(name, secrets.settings),
      ...addressSettings(addresses, calls),
      ...defaults(publicPathSettings(name, baseUrl)),
    },
  }))
  const gateway = {
    name: 'gateway',
    folder: 'gateway',
    readyUrl: `${baseUrl}/readyz`,
    env: {
      ...addressSettings(addresses),
      REDIS_URL: infra.redisUrl,
      HOST: settings.host,
      PORT: String(settings.port),
      ...defaults({ PUBLIC_BASE_URL: baseUrl }),
    },
  }
  return { baseUrl, addresses, members: [...serviceMembers, gateway] }
}

/** A schema and a role for each service. */
export async function provisionDatabases(adminUrl: string, secrets: Secrets, setting: string): Promise<void> {
  try {
    for (const [name, password] of Object.entries(secrets.database_passwords)) {
      await provisionSchema({ adminUrl, schema: name, role: roleOf(name), password })
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`${setting}: the schemas and roles of the services could not be made (${reason}).`)
  }
}

function roleOf(service: string): string {
  return `storekeep_${service}`
}

function serviceUrl(adminUrl: string, service: string, password: string): string {
  const url = new URL(adminUrl)
  url.username = roleOf(service)
  url.password = password
  return url.href
}

/** Settings that whoever starts the system may have set otherwise. */
function defaults(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !process.env[name]))
}

interface MemberOptions {
  settings: Settings
  secrets: Secrets
  infra: Infra
}

export interface Member {
  name: string
  /** Below the repository's root; its src/main.ts is the process. */
  folder: string
  /** Answers 200 when the process can do its work. */
  readyUrl: string
  env: Record<string, string>
}

export interface Members {
  baseUrl: string
  /** host:port of each service. */
  addresses: Record<ServiceName, string>
  members: Member[]
}

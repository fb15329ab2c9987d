import { provisionSchema } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import { addressSettings, forEachService, type ServiceName, secretSettingsOf, services } from '../services.ts'
import type { Infra } from './infra.ts'
import type { Secrets } from './secrets.ts'
import { baseUrlOf, type Settings } from './settings.ts'

/** The processes of Storekeep in the order of their start, with every setting that they need to find each other. */
export async function describeMembers({ settings, secrets, infra }: MemberOptions): Promise<Members> {
  const shared = { NATS_URL: infra.natsUrl, REDIS_URL: infra.redisUrl }
  const baseUrl = baseUrlOf(settings)

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

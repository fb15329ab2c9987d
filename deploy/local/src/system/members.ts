import { provisionSchema } from '@storekeep/common/postgres'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { freePort } from '../infra/index.ts'
import type { Infra } from './infra.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The processes of Storekeep in the order of their start, with every setting that they need to find each other. */
export async function describeMembers({ settings, secrets, infra }: MemberOptions): Promise<Members> {
  const stores = await service('stores')
  const customers = await service('customers')
  const shared = { NATS_URL: infra.natsUrl, REDIS_URL: infra.redisUrl }
  const addresses = {
    STORES_ADDRESS: `127.0.0.1:${stores.grpcPort}`,
    CUSTOMERS_ADDRESS: `127.0.0.1:${customers.grpcPort}`,
  }
  const baseUrl = `http://${settings.host === '0.0.0.0' || settings.host === '::' ? 'localhost' : settings.host}:${settings.port}`

  async function service(name: 'stores' | 'customers') {
    const [grpcPort, metricsPort] = [await freePort(), await freePort()]
    const env = {
      DATABASE_URL: serviceUrl(infra.databaseUrl, name, secrets.database_passwords[name]),
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(grpcPort),
      METRICS_PORT: String(metricsPort),
      ENCRYPTION_KEY: secrets.encryption_keys[name],
    }
    return { grpcPort, env, readyUrl: `http://127.0.0.1:${metricsPort}/readyz` }
  }

  return {
    baseUrl,
    addresses,
    members: [
      {
        name: 'stores',
        folder: 'services/stores',
        readyUrl: stores.readyUrl,
        env: { ...shared, ...stores.env, API_KEY_PEPPER: secrets.api_key_pepper },
      },
      {
        name: 'customers',
        folder: 'services/customers',
        readyUrl: customers.readyUrl,
        env: {
          ...shared,
          ...customers.env,
          STORES_ADDRESS: addresses.STORES_ADDRESS,
          TOKEN_KEYS: secrets.token_keys,
          ...defaults({ PORTAL_BASE_URL: `${baseUrl}/portal` }),
        },
      },
      {
        name: 'gateway',
        folder: 'gateway',
        readyUrl: `${baseUrl}/readyz`,
        env: {
          ...addresses,
          REDIS_URL: infra.redisUrl,
          HOST: settings.host,
          PORT: String(settings.port),
          ...defaults({ PUBLIC_BASE_URL: baseUrl }),
        },
      },
    ],
  }
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
function defaults(values: Record<string, string>): Record<string, string> {
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
  /** Settings by which others find the services. */
  addresses: Record<'STORES_ADDRESS' | 'CUSTOMERS_ADDRESS', string>
  members: Member[]
}

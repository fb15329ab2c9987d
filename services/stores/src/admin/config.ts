import { createEnvReader, type Environment, readTlsConfig, type TlsConfig } from '@storekeep/common/config'

/** The settings of the admin command. */
export function adminConfigFromProcess(): AdminConfig {
  return readAdminConfig(process.env)
}

/** How the command is called where this runs, for its help. */
export function invocationFromProcess(): Invocation {
  return readInvocation(process.env)
}

/** npm says which of its scripts it runs. In an image there is no npm. */
export function readInvocation(source: Environment): Invocation {
  if (source.npm_lifecycle_event === 'admin') return { usual: 'npm run admin --', quiet: 'npm run --silent admin --' }
  const plain = 'node services/stores/src/admin.ts'
  return { usual: plain, quiet: plain }
}

/** @throws ConfigError naming every setting that is missing */
export function readAdminConfig(source: Environment): AdminConfig {
  const env = createEnvReader(source)
  const config = {
    stores: env.string('STORES_ADDRESS'),
    customers: env.string('CUSTOMERS_ADDRESS'),
    coupons: env.string('COUPONS_ADDRESS'),
    checkout: env.string('CHECKOUT_ADDRESS'),
    search: env.string('SEARCH_ADDRESS'),
    tls: readTlsConfig(env),
  }
  env.finish()
  return config
}

export interface Invocation {
  usual: string
  /** Without lines that are not the answer, for programs. */
  quiet: string
}

/** `host:port` of each service. */
export interface AdminConfig {
  stores: string
  customers: string
  coupons: string
  checkout: string
  search: string
  tls: TlsConfig | undefined
}

import { createEnvReader, type Environment, readTlsConfig, type TlsConfig } from '@storekeep/common/config'

/** The settings of the admin command. */
export function adminConfigFromProcess(): AdminConfig {
  return readAdminConfig(process.env)
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

/** `host:port` of each service. */
export interface AdminConfig {
  stores: string
  customers: string
  coupons: string
  checkout: string
  search: string
  tls: TlsConfig | undefined
}

import { randomBytes } from 'node:crypto'
import { addressSetting } from '@storekeep/common/config'
import { type SecretFormat, type ServiceName, services } from '../../topology.ts'

export { redisClients } from '../../rights.ts'
export {
  adminTools,
  gateway,
  memoryLimitMiB,
  nodeOptions,
  pages,
  ports,
  type ServiceName,
  services,
} from '../../topology.ts'

/** A value for each service. */
export function forEachService<T>(make: (name: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(services.map(({ name }) => [name, make(name)])) as Record<ServiceName, T>
}

/** The settings that hold the addresses of services (`STORES_ADDRESS`); of all services unless `names` are given. */
export function addressSettings(
  addresses: Readonly<Record<ServiceName, string>>,
  names: readonly ServiceName[] = services.map(({ name }) => name),
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [addressSetting(name), addresses[name]]))
}

/** The settings that hold the addresses of public pages. */
export function publicPathSettings(name: ServiceName, baseUrl: string): Record<string, string> {
  const { publicPaths = {} } = services.find((service) => service.name === name) ?? {}
  return Object.fromEntries(Object.entries(publicPaths).map(([setting, path]) => [setting, baseUrl + path]))
}

/** A new value for every secret setting of every service. */
export function newSecretSettings(): Record<string, string> {
  const all = services.flatMap(({ secrets }) => Object.entries(secrets))
  return Object.fromEntries(all.map(([setting, format]) => [setting, newSecret(format)]))
}

/** Picks the secret settings of one service. */
export function secretSettingsOf(name: ServiceName, all: Readonly<Record<string, string>>): Record<string, string> {
  const { secrets = {} } = services.find((service) => service.name === name) ?? {}
  return Object.fromEntries(Object.keys(secrets).map((setting) => [setting, all[setting] ?? '']))
}

function newSecret(format: SecretFormat): string {
  return format === 'numbered-key' ? `1:${newKey()}` : newKey()
}

/** 256 random bits in base64url. */
export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

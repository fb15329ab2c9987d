import { randomBytes } from 'node:crypto'

/**
 * Every service of the system. Starting it, making its schemas and secrets, and the test kit read this list and no
 * other; the gateway has a table of its own.
 */
export const services = [
  { name: 'stores', calls: [], redis: true, secrets: { API_KEY_PEPPER: (key) => key }, settings: () => ({}) },
  {
    name: 'customers',
    calls: ['stores'],
    redis: true,
    secrets: { TOKEN_KEYS: (key) => `1:${key}` },
    settings: (baseUrl) => ({ PORTAL_BASE_URL: `${baseUrl}/portal` }),
  },
  { name: 'bans', calls: [], redis: false, secrets: {}, settings: () => ({}) },
  { name: 'custom-variables', calls: [], redis: false, secrets: {}, settings: () => ({}) },
  { name: 'coupons', calls: ['customers'], redis: false, secrets: {}, settings: () => ({}) },
  {
    name: 'checkout',
    calls: ['stores', 'customers', 'bans', 'coupons', 'custom-variables'],
    redis: false,
    secrets: {},
    settings: (baseUrl) => ({ CHECKOUT_BASE_URL: `${baseUrl}/checkout` }),
  },
  {
    name: 'search',
    calls: ['customers', 'bans', 'coupons', 'custom-variables', 'checkout'],
    redis: false,
    secrets: {},
    settings: () => ({}),
  },
] as const satisfies readonly ServiceEntry[]

/** Services that the operator's command-line tool calls (services/admin-tools). */
export const adminToolsCalls = [
  'stores',
  'customers',
  'coupons',
  'checkout',
  'search',
] as const satisfies readonly ServiceName[]

/** Also the name of its schema, and of its folder below services/. */
export type ServiceName = (typeof services)[number]['name']

/** A value for each service. */
export function forEachService<T>(make: (name: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(services.map(({ name }) => [name, make(name)])) as Record<ServiceName, T>
}

/** The settings by which others find services: `STORES_ADDRESS`; of all services unless some are named. */
export function addressSettings(
  addresses: Readonly<Record<ServiceName, string>>,
  names: readonly ServiceName[] = services.map(({ name }) => name),
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [settingOf(name), addresses[name]]))
}

function settingOf(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`
}

/** A value for every secret setting of every service. */
export function newSecretSettings(): Record<string, string> {
  const all = services.flatMap(({ secrets }) => Object.entries(secrets))
  return Object.fromEntries(all.map(([name, write]) => [name, write(newKey())]))
}

/** Those of all secret settings that are this service's. */
export function secretSettingsOf(name: ServiceName, all: Readonly<Record<string, string>>): Record<string, string> {
  const own = services.find((service) => service.name === name)?.secrets ?? {}
  return Object.fromEntries(Object.keys(own).map((setting) => [setting, all[setting] ?? '']))
}

/** 256 random bits in base64url. */
export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

interface ServiceEntry {
  name: string
  /** Services that it calls. */
  calls: readonly string[]
  /** Whether it connects to Redis, and so is told where that is. */
  redis: boolean
  /** Settings of its own that are secret, each with how it is written: `key` is 32 random bytes in base64url. */
  secrets: Readonly<Record<string, (key: string) => string>>
  /** Settings of its own that whoever starts the system may have set otherwise. `baseUrl` is the gateway's address. */
  settings: (baseUrl: string) => Readonly<Record<string, string>>
}

import { BlockList, isIP } from 'node:net'
import type { EnvReader } from '../config/index.ts'
import type { ConnectionsConfig } from './guard-connections.ts'

/** Reads the limits of `guardConnections`. */
export function readConnectionsConfig(env: EnvReader): ConnectionsConfig {
  return {
    maxPerAddress: env.integer('MAX_CONNECTIONS_PER_ADDRESS', { min: 1, max: 1_000_000, fallback: 1000 }),
    maxUnsentBytes: env.integer('MAX_UNSENT_MIB', { min: 16, max: 65_536, fallback: 16 }) * 1024 * 1024,
    maxUnfinishedBytes: env.integer('MAX_UNFINISHED_BODIES_MIB', { min: 8, max: 65_536, fallback: 32 }) * 1024 * 1024,
    writeTimeoutMs: env.integer('WRITE_TIMEOUT_MS', { min: 100, max: 600_000, fallback: 10_000 }),
    headersTimeoutMs: env.integer('HEADERS_TIMEOUT_MS', { min: 100, max: 15_000, fallback: 5000 }),
  }
}

/** Reads for how long browsers use HTTPS only; 0, the default, is for sites without HTTPS. */
export function readHstsMaxAge(env: EnvReader): number {
  return env.integer('HSTS_MAX_AGE_SECONDS', { min: 0, max: 63_072_000, fallback: 0 })
}

/** The value of `Strict-Transport-Security`. Subdomains can belong to other sites, so they are not included. */
export function hstsHeader(maxAgeSeconds: number): string | undefined {
  return maxAgeSeconds === 0 ? undefined : `max-age=${maxAgeSeconds}`
}

/** Reads the peers whose X-Forwarded-For is trusted. */
export function readTrustedProxies(env: EnvReader): BlockList {
  return env.custom('TRUSTED_PROXIES', (text) => networksToBlockList(parseNetworks(text)), new BlockList())
}

/**
 * Parses a list such as "10.0.0.0/8,::1".
 * @returns each network with its prefix length: `10.0.0.0/8`, `::1/128`
 * @throws Error that fits `env.custom` if an item is neither an address nor a network
 */
export function parseNetworks(text: string): string[] {
  const items = text.split(',').map((one) => one.trim())
  return items.flatMap((item) => {
    if (item === '') return []
    const [address = '', prefix, ...rest] = item.split('/')
    const version = isIP(address)
    const bits = prefix === undefined ? addressBits(version) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (version === 0 || bits < 0 || bits > addressBits(version) || rest.length > 0) {
      throw new Error('must be a comma-separated list of addresses or networks such as 10.0.0.0/8')
    }
    return [`${address}/${bits}`]
  })
}

/** @param networks as `parseNetworks` returns them */
function networksToBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

function addressBits(version: number): number {
  return version === 6 ? 128 : 32
}

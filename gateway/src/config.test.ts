import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const needed = {
  CALL_KEYS: `gateway:stores=${'k'.repeat(43)}`,
  STORES_ADDRESS: 'stores:1',
  CUSTOMERS_ADDRESS: 'customers:1',
  BANS_ADDRESS: 'bans:1',
  CUSTOM_VARIABLES_ADDRESS: 'custom-variables:1',
  COUPONS_ADDRESS: 'coupons:1',
  CHECKOUT_ADDRESS: 'checkout:1',
  ORDERS_ADDRESS: 'orders:1',
  DELIVERY_ADDRESS: 'delivery:1',
  EMAILS_ADDRESS: 'emails:1',
  WEBHOOKS_ADDRESS: 'webhooks:1',
  SEARCH_ADDRESS: 'search:1',
  REDIS_URL: 'redis://redis',
  CHECKOUT_BASE_URL: 'https://pay.example.com/',
}

describe('readConfig', () => {
  it('applies the defaults', () => {
    expect(readConfig(needed)).toMatchObject({
      http: { host: '127.0.0.1', port: 8080, publicBaseUrl: '' },
      connections: {
        maxPerAddress: 1000,
        maxUnsentBytes: 16 * 1024 * 1024,
        writeTimeoutMs: 10_000,
        headersTimeoutMs: 5000,
      },
      pages: { checkoutBaseUrl: 'https://pay.example.com' },
      redis: { keyPrefix: 'storekeep:' },
      calls: { timeoutMs: 3000, credentialTimeoutMs: 1000 },
      apiKeys: { cacheMs: 5000 },
      limits: {
        apiKeyPerMinute: 12_000,
        failedAuthPerMinute: 3000,
        unknownStorePerMinute: 600,
        signInAddressPerMinute: 30,
        signInNamePerMinute: 10,
        signInStorePerMinute: 600,
        replicas: 1,
      },
      shutdown: { delayMs: 0, graceMs: 15_000 },
    })
  })

  it('names every missing setting in one error', () => {
    expect(() => readConfig({})).toThrow(`Invalid settings: ${Object.keys(needed).join(' is missing; ')} is missing.`)
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PUBLIC_BASE_URL', 'api.example.com'],
    ['CHECKOUT_BASE_URL', 'pay.example.com'],
    ['REDIS_URL', 'http://redis'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0/8'],
    ['TRUSTED_PROXIES', 'fe80::/129'],
    ['TRUSTED_PROXIES', 'proxy'],
    ['RATE_LIMIT_API_KEY_PER_MINUTE', '0'],
    ['LOG_LEVEL', 'loud'],
    ['ACCESS_LOG_RATIO', '2'],
  ])('rejects %s=%s by name', (name, value) => {
    expect(() => readConfig({ ...needed, [name]: value })).toThrow(`Invalid settings: ${name} must be`)
  })

  it('accepts proxies as addresses and networks', () => {
    const { trustedProxies } = readConfig({ ...needed, TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,::1, fd00::/8' }).http
    expect(['10.9.9.9', '192.0.2.1'].every((address) => trustedProxies.check(address))).toBe(true)
    expect(['::1', 'fd12::1'].every((address) => trustedProxies.check(address, 'ipv6'))).toBe(true)
    expect(trustedProxies.check('192.0.2.2')).toBe(false)
  })
})

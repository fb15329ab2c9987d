import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const needed = {
  DATABASE_URL: 'postgres://postgres/storekeep',
  NATS_URL: 'nats://nats',
  GRPC_PORT: '1',
  ENCRYPTION_KEY: 'A'.repeat(43),
  CALL_KEYS: `pages:images=${'k'.repeat(43)}`,
}

describe('the settings of requests for images', () => {
  it('allow only https to public addresses by default, for five seconds', () => {
    const { outgoing, fetching } = readConfig(needed)
    expect(outgoing).toEqual({ allowHttp: false, allowedNetworks: [] })
    expect(fetching.timeoutMs).toBe(5000)
  })

  it('can allow http and networks', () => {
    const { outgoing } = readConfig({
      ...needed,
      IMAGES_ALLOW_HTTP: 'true',
      IMAGES_ALLOWED_NETWORKS: '10.1.0.0/16,::1',
    })
    expect(outgoing).toEqual({ allowHttp: true, allowedNetworks: ['10.1.0.0/16', '::1/128'] })
  })

  it.each([
    ['IMAGES_ALLOW_HTTP', 'yes'],
    ['IMAGES_ALLOWED_NETWORKS', 'internal'],
    ['IMAGES_TIMEOUT_MS', '0'],
  ])('reject %s=%s by name', (name, value) => {
    expect(() => readConfig({ ...needed, [name]: value })).toThrow(`${name} must be`)
  })
})

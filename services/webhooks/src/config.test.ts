import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const needed = {
  DATABASE_URL: 'postgres://postgres/storekeep',
  NATS_URL: 'nats://nats',
  GRPC_PORT: '1',
  ENCRYPTION_KEY: 'A'.repeat(43),
  CALL_KEYS: `gateway:webhooks=${'k'.repeat(43)}`,
}

describe('the settings of outgoing requests', () => {
  it('allow only https to public addresses by default', () => {
    expect(readConfig(needed).outgoing).toEqual({ allowHttp: false, allowedNetworks: [] })
  })

  it('can allow http and networks', () => {
    const WEBHOOKS_ALLOWED_NETWORKS = '10.1.0.0/16, fd00::/8,127.0.0.1'
    const { outgoing } = readConfig({ ...needed, WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS })
    expect(outgoing).toEqual({ allowHttp: true, allowedNetworks: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32'] })
  })

  it.each(['internal', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0-10.0.0.9'])(
    'reject %s as a network, and name the setting',
    (text) => {
      const read = () => readConfig({ ...needed, WEBHOOKS_ALLOWED_NETWORKS: text })
      expect(read).toThrow('WEBHOOKS_ALLOWED_NETWORKS must be a comma-separated list of addresses or networks')
    },
  )

  it('reject anything but true and false', () => {
    expect(() => readConfig({ ...needed, WEBHOOKS_ALLOW_HTTP: 'yes' })).toThrow(
      'WEBHOOKS_ALLOW_HTTP must be true or false',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createEnvReader } from './env.ts'
import { readIdentityConfig, readServerIdentityConfig } from './identity-config.ts'

const key = 'k'.repeat(43)
const tls = { GRPC_TLS_CERT_FILE: '/tls.crt', GRPC_TLS_KEY_FILE: '/tls.key', GRPC_TLS_CA_FILE: '/ca.crt' }

describe('the identity of a process', () => {
  it.each([
    ['a caller', readIdentityConfig],
    ['a server', readServerIdentityConfig],
  ])('needs CALL_KEYS without TLS: %s', (_which, read) => {
    const env = createEnvReader({})
    read(env)
    expect(env.finish).toThrow('Invalid settings: CALL_KEYS is missing.')
  })

  it('needs no CALL_KEYS with TLS', () => {
    expect(readIdentityConfig(createEnvReader(tls)).keys).toBeUndefined()
  })

  it.each([
    `gateway:stores`,
    `gateway:stores=short`,
    `gateway=${key}`,
    `gateway:stores=${key}+`,
    `x,gateway:stores=${key}`,
  ])('rejects malformed CALL_KEYS without quoting them: %s', (text) => {
    const env = createEnvReader({ CALL_KEYS: text })
    readIdentityConfig(env)
    expect(env.finish).toThrow('CALL_KEYS must be a list such as gateway:stores=<key>')
    expect(env.finish).not.toThrow(key)
  })
})

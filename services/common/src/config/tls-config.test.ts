import { describe, expect, it } from 'vitest'
import { createEnvReader } from './env.ts'
import { readServerTlsConfig, readTlsConfig } from './tls-config.ts'

const files = { GRPC_TLS_CERT_FILE: '/tls/tls.crt', GRPC_TLS_KEY_FILE: '/tls/tls.key', GRPC_TLS_CA_FILE: '/tls/ca.crt' }
const paths = { certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', caFile: '/tls/ca.crt' }

describe('the TLS settings', () => {
  it('are optional; calls are plaintext without them', () => {
    expect(readTlsConfig(createEnvReader({}))).toBeUndefined()
    expect(readServerTlsConfig(createEnvReader({ GRPC_TLS_CERT_FILE: '' }))).toBeUndefined()
  })

  it('are three files, and the callers of a process that accepts calls', () => {
    expect(readTlsConfig(createEnvReader(files))).toEqual(paths)
    const server = { ...files, GRPC_TLS_CALLERS: 'gateway=shop-gateway.shops.svc, checkout=shop-checkout.shops.svc' }
    expect(readServerTlsConfig(createEnvReader(server))).toEqual({
      ...paths,
      callers: new Map([
        ['shop-gateway.shops.svc', 'gateway'],
        ['shop-checkout.shops.svc', 'checkout'],
      ]),
    })
  })

  it.each(Object.keys(files))('name the missing settings when only %s is given', (given) => {
    const others = Object.keys(files).filter((name) => name !== given)
    const env = createEnvReader({ [given]: '/tls/file' })
    readTlsConfig(env)
    expect(env.finish).toThrow(`Invalid settings: ${others.join(' is missing; ')} is missing.`)
  })

  it('are rejected when a process that accepts calls has no list of callers', () => {
    const env = createEnvReader(files)
    readServerTlsConfig(env)
    expect(env.finish).toThrow('Invalid settings: GRPC_TLS_CALLERS is missing.')
  })

  it.each(['shop-gateway.shops.svc', 'unknown=shop-gateway.shops.svc', 'gateway='])(
    'are rejected when a caller is not named: %s',
    (callers) => {
      const env = createEnvReader({ ...files, GRPC_TLS_CALLERS: callers })
      readServerTlsConfig(env)
      expect(env.finish).toThrow('GRPC_TLS_CALLERS must be a list such as gateway=<DNS name>,checkout=<DNS name>')
    },
  )

  it('are rejected when callers are listed but no certificate is given', () => {
    const env = createEnvReader({ GRPC_TLS_CALLERS: 'gateway=gateway' })
    readServerTlsConfig(env)
    expect(env.finish).toThrow(
      'GRPC_TLS_CERT_FILE is missing; GRPC_TLS_KEY_FILE is missing; GRPC_TLS_CA_FILE is missing',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createEnvReader, readServerTlsConfig, readTlsConfig } from './index.ts'

const files = { GRPC_TLS_CERT_FILE: '/tls/tls.crt', GRPC_TLS_KEY_FILE: '/tls/tls.key', GRPC_TLS_CA_FILE: '/tls/ca.crt' }
const paths = { certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', caFile: '/tls/ca.crt' }

describe('the settings of TLS', () => {
  it('may be left out, and calls are plain then', () => {
    expect(readTlsConfig(createEnvReader({}))).toBeUndefined()
    expect(readServerTlsConfig(createEnvReader({ GRPC_TLS_CERT_FILE: '' }))).toBeUndefined()
  })

  it('are three files, and for a process that is called its callers', () => {
    expect(readTlsConfig(createEnvReader(files))).toEqual(paths)
    const server = { ...files, GRPC_TLS_CALLERS: 'gateway, checkout' }
    expect(readServerTlsConfig(createEnvReader(server))).toEqual({ ...paths, callers: ['gateway', 'checkout'] })
  })

  it.each(Object.keys(files))('are refused by name when %s alone is given', (given) => {
    const others = Object.keys(files).filter((name) => name !== given)
    const env = createEnvReader({ [given]: '/tls/file' })
    readTlsConfig(env)
    expect(env.finish).toThrow(`Invalid settings: ${others.join(' is missing; ')} is missing.`)
  })

  it('are refused when a process that is called is not told by whom', () => {
    const env = createEnvReader(files)
    readServerTlsConfig(env)
    expect(env.finish).toThrow('Invalid settings: GRPC_TLS_CALLERS is missing.')
  })

  it('are refused when callers are listed whom nothing could tell apart', () => {
    const env = createEnvReader({ GRPC_TLS_CALLERS: 'gateway' })
    readServerTlsConfig(env)
    expect(env.finish).toThrow(
      'GRPC_TLS_CERT_FILE is missing; GRPC_TLS_KEY_FILE is missing; GRPC_TLS_CA_FILE is missing',
    )
  })
})

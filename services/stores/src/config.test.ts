import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64url')
const env = {
  DATABASE_URL: 'postgres://stores:x@localhost/storekeep',
  NATS_URL: 'nats://localhost',
  REDIS_URL: 'redis://localhost',
  GRPC_PORT: '5001',
  CALL_KEYS: `gateway:stores=${key}`,
  ENCRYPTION_KEY: key,
  API_KEY_PEPPER: key,
}

describe('the settings', () => {
  it('default to working values except for addresses and secrets', () => {
    expect(readConfig(env)).toMatchObject({ peppers: [Buffer.alloc(32, 7)], grpc: { port: 5001 } })
  })

  it('report every missing setting', () => {
    const missing = Object.keys(env).map((name) => expect.stringContaining(`${name} is missing`))
    for (const name of missing) expect(() => readConfig({})).toThrow(expect.objectContaining({ message: name }))
  })

  it('reject a key of another length without printing it', () => {
    const wrong = { ...env, API_KEY_PEPPER: 'too-short', ENCRYPTION_KEY: 'too-short' }
    expect(() => readConfig(wrong)).toThrow(
      'Invalid settings: ENCRYPTION_KEY must be comma-separated keys of 32 bytes in base64url; API_KEY_PEPPER must be comma-separated keys of 32 bytes in base64url.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64url')
const env = {
  DATABASE_URL: 'postgres://customers:x@localhost/storekeep',
  NATS_URL: 'nats://localhost',
  REDIS_URL: 'redis://localhost',
  GRPC_PORT: '5002',
  CALL_KEYS: `gateway:customers=${key}`,
  STORES_ADDRESS: 'localhost:5001',
  TOKEN_KEYS: `2:${key}, 1:${Buffer.alloc(32, 8).toString('base64url')}`,
  ENCRYPTION_KEY: key,
  PORTAL_BASE_URL: 'https://portal.example//',
  STORE_BASE_URL: 'https://shop.example',
}

describe('the settings', () => {
  it('default to working values except for addresses and secrets', () => {
    expect(readConfig(env)).toMatchObject({
      grpc: { port: 5002 },
      tokens: { keys: [{ id: 2, secret: Buffer.alloc(32, 7) }, { id: 1 }] },
      profiles: { steam: undefined, mojang: undefined, timeoutMs: 1000 },
    })
  })

  it('report every missing setting', () => {
    for (const name of Object.keys(env)) {
      expect(() => readConfig({})).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`${name} is missing`) }),
      )
    }
  })

  it.each([key, `1:${key},1:${key}`, `0:${key}`, `256:${key}`, '1:short', `1:${key}=`, `1:${key},`])(
    'reject the token keys %s without printing them',
    (keys) => {
      const thrown = catchMessage(() => readConfig({ ...env, TOKEN_KEYS: keys }))
      expect(thrown).toMatch(/^Invalid settings: TOKEN_KEYS must /)
      expect(thrown).not.toContain(key)
    },
  )

  it('require a Steam key only with the Steam provider, and reject unknown providers', () => {
    expect(readConfig({ ...env, PROFILE_PROVIDERS: 'mojang' }).profiles.mojang?.baseUrl).toBe('https://api.mojang.com')
    const steam = { ...env, PROFILE_PROVIDERS: 'steam,mojang' }
    expect(catchMessage(() => readConfig(steam))).toBe('Invalid settings: STEAM_API_KEY is missing.')
    expect(readConfig({ ...steam, STEAM_API_KEY: 'x' }).profiles.steam).toMatchObject({ apiKey: 'x' })
    expect(catchMessage(() => readConfig({ ...env, PROFILE_PROVIDERS: 'xbox' }))).toBe(
      'Invalid settings: PROFILE_PROVIDERS must be a list of steam, mojang.',
    )
  })
})

function catchMessage(run: () => unknown): string {
  try {
    run()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

import { describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'
import { ConfigError, createEnvReader } from './env.ts'
import { parseNatsUrl } from './nats-config.ts'
import { parseRedisUrl } from './redis-url.ts'
import { readServiceConfig } from './service-config.ts'

describe('settings', () => {
  it('are rejected with one line that names every missing and invalid one and quotes no value', () => {
    const env = createEnvReader({
      PORT: 'abc',
      DATABASE_URL: 'mysql://user:secret@db/x',
      CACHE_URL: 'db',
      GAMES: 'chess',
    })
    env.integer('PORT', { min: 0, max: 65_535 })
    env.databaseUrl('DATABASE_URL')
    env.url('CACHE_URL', ['redis:'])
    env.oneOf('GAMES', ['rust', 'minecraft'])
    env.string('REGION')
    expect(() => env.finish()).toThrow(
      new ConfigError(
        'Invalid settings: PORT must be a whole number from 0 to 65535; ' +
          'DATABASE_URL must be a URL that starts with postgres:// or postgresql://; ' +
          'CACHE_URL must be a URL that starts with redis://; ' +
          'GAMES must be one of rust, minecraft; REGION is missing.',
      ),
    )
  })

  it('count as absent when empty and have their defaults', () => {
    const env = createEnvReader({ REGION: ' ', MIGRATE: '' })
    expect([env.string('REGION', 'eu'), env.boolean('MIGRATE', true), env.optional('REGION')]).toEqual([
      'eu',
      true,
      undefined,
    ])
    expect(() => env.finish()).not.toThrow()
  })

  it.each(['1e3', '0x10', '12.5', '', '65536', '-1', '99999999999999999999'])(
    'reject %j as a whole number in range',
    (text) => {
      const env = createEnvReader({ PORT: text })
      env.integer('PORT', { min: 0, max: 65_535 })
      expect(() => env.finish()).toThrow(/PORT/)
    },
  )

  it('put the credentials of a server, given apart from its URL, into the URL in encoded form', () => {
    const parts = { DATABASE_URL: 'postgres://old:credentials@db:5432/shop?sslmode=require', DATABASE_USER: 'a b' }
    const env = createEnvReader({
      ...parts,
      DATABASE_PASSWORD: 'p@ss:/w%2Fö?#',
      REDIS_URL: 'redis://r:1',
      REDIS_PASSWORD: '/',
    })
    expect(parseDatabaseUrl(env.databaseUrl('DATABASE_URL'))).toEqual({
      ...parseDatabaseUrl(parts.DATABASE_URL),
      role: 'a b',
      password: 'p@ss:/w%2Fö?#',
    })
    expect(env.serverUrl('REDIS_URL', parseRedisUrl)).toBe('redis://:%2F@r:1')
    // Without parts, and for URLs of other settings, the text is unchanged.
    expect(createEnvReader({ NATS_URL: 'nats://n' }).serverUrl('NATS_URL', parseNatsUrl)).toBe('nats://n')
    expect(createEnvReader({ DATABASE_URL: parts.DATABASE_URL }).databaseUrl('DATABASE_URL')).toBe(parts.DATABASE_URL)
  })

  it('put the credentials of sentinels into a URL that names sentinels, and into no other', () => {
    const read = (name: 'NATS' | 'REDIS', url: string) => {
      const parts = { [`${name}_SENTINEL_USER`]: 's', [`${name}_SENTINEL_PASSWORD`]: 'p&/' }
      const env = createEnvReader({ [`${name}_URL`]: url, ...parts })
      return env.serverUrl(`${name}_URL`, name === 'NATS' ? parseNatsUrl : parseRedisUrl)
    }
    const given = parseRedisUrl(read('REDIS', 'redis+sentinel://a?master=shop'))
    expect(given.parameters).toEqual({ master: 'shop', 'sentinel-user': 's', 'sentinel-password': 'p&/' })
    for (const url of ['redis://r', 'redis+cluster://a,b']) expect(read('REDIS', url)).toBe(url)
    expect(read('NATS', 'nats://n')).toBe('nats://n')
  })

  it('report the message of a custom parser', () => {
    const env = createEnvReader({ KEY: 'short' })
    env.custom('KEY', () => {
      throw new Error('must be 32 bytes in base64url')
    })
    expect(() => env.finish()).toThrow('Invalid settings: KEY must be 32 bytes in base64url.')
  })

  it('a service requires only its addresses, port and keys', () => {
    const env = createEnvReader({
      DATABASE_URL: 'postgres://db/x',
      NATS_URL: 'nats://broker',
      GRPC_PORT: '50051',
      CALL_KEYS: `gateway:stores=${'k'.repeat(43)}`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    })
    const config = readServiceConfig(env)
    env.finish()
    expect(config).toMatchObject({ events: { stream: 'EVENTS' }, grpc: { host: '127.0.0.1', port: 50_051 } })
  })
})

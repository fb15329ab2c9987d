import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

describe('settings', () => {
  it('have defaults for all', () => {
    expect(readSettings({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: undefined,
      natsUrl: undefined,
      redisUrl: undefined,
    })
  })

  it.each([
    ['PORT', 'abc'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['NATS_URL', 'localhost:4222'],
    ['REDIS_URL', 'http://localhost'],
  ])('name a wrong %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^Wrong settings: ${name} must be [^\n]*$`))
  })
})

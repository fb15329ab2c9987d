import { describe, expect, it } from 'vitest'
import { baseUrlOf, readSettings } from './settings.ts'

describe('settings', () => {
  it('all have defaults', () => {
    expect(readSettings({})).toEqual({
      port: 8080,
      pagesPort: 8081,
      demoPort: 8082,
      mailboxPort: 8083,
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
  ])('report an invalid %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^Invalid settings: ${name} must be [^\n]*$`))
  })

  it.each([
    ['NATS_URL', 'nats://user:secret@a:4222,b:4222'],
    ['REDIS_URL', 'redis+sentinel://a:26379,b:26379/0?master=main'],
    ['REDIS_URL', 'redis+cluster://a,b'],
  ])('accept every %s that the services accept, such as %s', (name, url) => {
    expect(Object.values(readSettings({ [name]: url }))).toContain(url)
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://localhost:8080'],
    ['::', 'http://localhost:8080'],
    ['::1', 'http://[::1]:8080'],
    ['store.example', 'http://store.example:8080'],
  ])('turn HOST %s into an address that works on this machine', (host, address) => {
    expect(baseUrlOf({ host, port: 8080 })).toBe(address)
  })
})

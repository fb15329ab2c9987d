import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from './redis-url.ts'
import { formatServerUrl } from './server-url.ts'

describe('the URL of Redis', () => {
  it.each([
    ['redis://r', { scheme: 'redis', hosts: [{ host: 'r', port: 6379 }], path: '' }],
    ['rediss://u:p@r:1/3', { scheme: 'rediss', user: 'u', password: 'p', path: '3' }],
    [
      'redis+sentinel://u:p@a,b:2/1?master=shop',
      {
        user: 'u',
        password: 'p',
        hosts: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 2 },
        ],
        path: '1',
        parameters: { master: 'shop' },
      },
    ],
    [
      'rediss+sentinel://a?sentinel-user=s&sentinel-password=p%40%2F&master=shop',
      {
        scheme: 'rediss+sentinel',
        user: undefined,
        parameters: { master: 'shop', 'sentinel-user': 's', 'sentinel-password': 'p@/' },
      },
    ],
    ['redis+cluster://u:p@a,b:2', { scheme: 'redis+cluster', password: 'p', hosts: [{ host: 'a', port: 6379 }, {}] }],
  ])('%s is read', (text, parts) => {
    const url = parseRedisUrl(text)
    expect(url).toMatchObject(parts)
    expect(parseRedisUrl(formatServerUrl(url))).toEqual(url)
  })

  it.each([
    ['redis+sentinels://r', /^must be a URL that starts with redis:\/\/ or rediss:\/\/ or redis\+sentinel:\/\/ or /],
    ['redis://a,b', 'lists several hosts; use redis+sentinel:// for sentinels, or redis+cluster:// for a cluster'],
    ['rediss://a,b', 'lists several hosts; use rediss+sentinel:// for sentinels, or rediss+cluster:// for a cluster'],
    ['redis://r/cache', 'has a path that is not the number of a database'],
    ['redis+cluster://a,b/1', 'names a database, but a cluster only has 0'],
    ['redis+cluster://a?master=shop', 'has parameters; it may only have credentials, hosts and a path'],
    ['redis+sentinel://a,b', 'has no master; add ?master= and the name that the sentinels use'],
    ['redis+sentinel://a?master=', 'has no master; add ?master= and the name that the sentinels use'],
    ['redis+sentinel://a?name=shop', 'has an unknown parameter; known are master, sentinel-user, sentinel-password'],
    ['redis+sentinel://a?master=shop&sentinel-user=s', 'has a sentinel-user without sentinel-password'],
    ['redis+sentinel://a?master=shop&sentinel-password=%', 'has an unencoded # or % in a parameter'],
    ['redis+sentinel://u:p?w@a/?master=shop', 'has an unencoded ? in the password; write it as %3F'],
    ['redis+sentinel://u:p/w@a/?master=shop', 'has an unencoded / in the password; write it as %2F'],
  ])('%s is rejected: it %s', (text, message) => {
    expect(() => parseRedisUrl(text)).toThrow(message)
  })
})

import { describe, expect, it } from 'vitest'
import { formatServerUrl, parseServerUrl } from './server-url.ts'

const nats = { nats: 4222, tls: 4222 }

describe('the URL of a server', () => {
  it.each([
    ['nats://n', { hosts: [{ host: 'n', port: 4222 }] }],
    ['tls://u:p%40@n:1', { scheme: 'tls', user: 'u', password: 'p@', hosts: [{ host: 'n', port: 1 }] }],
    ['nats://token@n', { user: 'token', password: undefined }],
    [
      'nats://u:p@a,b:2,[::1]:3',
      {
        password: 'p',
        hosts: [
          { host: 'a', port: 4222 },
          { host: 'b', port: 2 },
          { host: '::1', port: 3 },
        ],
      },
    ],
    [
      'nats://u:p@a:1, nats://u:p@b:2',
      {
        user: 'u',
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
    ],
    ['nats://n/x', { path: 'x' }],
  ])('%s is read', (text, parts) => {
    const url = parseServerUrl(text, nats)
    expect(url).toMatchObject(parts)
    expect(parseServerUrl(formatServerUrl(url), nats)).toEqual(url)
  })

  it.each([
    ['n:4222', 'must be a URL that starts with nats:// or tls://'],
    ['http://n', 'must be a URL that starts with nats:// or tls://'],
    ['nats://', 'has no host'],
    ['nats://a,,b', 'has no host'],
    ['nats://n:', 'has a port that is not a number from 1 to 65535'],
    ['nats://n:70000', 'has a port that is not a number from 1 to 65535'],
    ['nats://::1', 'has an IPv6 address without brackets'],
    ['nats://u:p@w@n', 'has an unencoded @ in the password; write it as %40'],
    ['nats://u:p/w@n', 'has an unencoded / in the password; write it as %2F'],
    ['nats://u:p?w@n', 'has an unencoded ? in the password; write it as %3F'],
    ['nats://u:p#w@n', 'has an unencoded # in the password; write it as %23'],
    ['nats://u:p,w@n', 'has an unencoded , in the password; write it as %2C'],
    ['nats://u:p%w@n', 'has an unencoded % in the password; write it as %25'],
    ['nats://u:%ff@n', 'has an encoded character that is not UTF-8'],
    ['nats://a,tls://b', 'mixes schemes; all hosts must have the same'],
    ['nats://u:p@a,u:q@b', 'has different credentials for its hosts; all hosts must have the same'],
    ['nats://a?x=1', 'has parameters; it may only have credentials, hosts and a path'],
    ['nats://a b', 'has a space in a host'],
  ])('%s is rejected: it %s', (text, message) => {
    expect(() => parseServerUrl(text, nats)).toThrow(message)
  })
})

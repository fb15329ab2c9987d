import { describe, expect, it } from 'vitest'
import { formatDatabaseUrl, formatHosts, parseDatabaseUrl } from './database-url.ts'

const plain = { role: undefined, password: undefined, target: undefined, params: {} }

describe('a database URL', () => {
  it.each([
    ['postgres://db/shop', { ...plain, hosts: [{ host: 'db', port: 5432 }], database: 'shop' }],
    [
      'postgresql://a%20b:p%40%2Fs%23:%25@one:5433,two,[::1]:5434/shop%2F1?target_session_attrs=read-write&sslmode=require',
      {
        hosts: [
          { host: 'one', port: 5433 },
          { host: 'two', port: 5432 },
          { host: '::1', port: 5434 },
        ],
        database: 'shop/1',
        role: 'a b',
        password: 'p@/s#:%',
        target: 'read-write',
        params: { sslmode: 'require' },
      },
    ],
    [
      'postgres://role@%2Fvar%2Frun/shop?application_name=a%40b',
      {
        ...plain,
        hosts: [{ host: '/var/run', port: 5432 }],
        database: 'shop',
        role: 'role',
        params: { application_name: 'a@b' },
      },
    ],
    [
      'postgres:///shop?host=/run/a,two&port=6432',
      {
        ...plain,
        hosts: [
          { host: '/run/a', port: 6432 },
          { host: 'two', port: 6432 },
        ],
        database: 'shop',
      },
    ],
  ])('is read into its parts and written back: %s', (text, parts) => {
    expect(parseDatabaseUrl(text)).toEqual(parts)
    expect(parseDatabaseUrl(formatDatabaseUrl(parseDatabaseUrl(text)))).toEqual(parts)
  })

  it('has hosts for logs without its credentials', () => {
    expect(formatHosts(parseDatabaseUrl('postgres://role:hunter2@one,[::1]:5433/shop'))).toBe('one:5432,[::1]:5433')
  })

  it.each([
    ['mysql://role:hunter2@db/shop', 'must be a URL that starts with postgres:// or postgresql://'],
    ['db:5432/shop', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres:///shop', 'has no host'],
    ['postgres://role:hunter2@/shop', 'has no host'],
    ['postgres://role:hunter2@one,,two/shop', 'has no host'],
    ['postgres://role:hunter2@db:5432x/shop', 'has a port that is not a number from 1 to 65535'],
    ['postgres://role:hunter2@one:5432,two:0/shop', 'has a port that is not a number from 1 to 65535'],
    ['postgres://role:hunter2@db:65536/shop', 'has a port that is not a number from 1 to 65535'],
    ['postgres://role:hunter2@::1/shop', 'has an IPv6 address without brackets'],
    ['postgres://role:hunter2@db', 'has no database; it must end with a slash and the name of the database'],
    ['postgres://role:hunter2@db/', 'has no database; it must end with a slash and the name of the database'],
    ['postgres://role:hunt@er2@db/shop', 'has an unencoded @ in the password; write it as %40'],
    ['postgres://role:hunt/er2@db/shop', 'has an unencoded / in the password; write it as %2F'],
    ['postgres://role:12/er2@db/shop', 'has an unencoded / in the password; write it as %2F'],
    ['postgres://role:hunt#er2@db/shop', 'has an unencoded # in the password; write it as %23'],
    ['postgres://role:hunt?er2@db/shop', 'has an unencoded ? in the password; write it as %3F'],
    ['postgres://role:hunt%er2@db/shop', 'has an unencoded % in the password; write it as %25'],
    ['postgres://role:hunt%FFer2@db/shop', 'has an encoded character that is not UTF-8'],
    ['postgres://role:hunter2@db/shop@home', 'has an unencoded @ in the database; write it as %40'],
    ['postgres://role:hunter2@db/shop/home', 'has an unencoded / in the database; write it as %2F'],
    ['postgres://db/shop?statement_timeout=1', /^has an unknown parameter statement_timeout; known are .*sslmode/],
    ['postgres://db/shop?hunter2=', /^has an unknown parameter; known are /],
    [
      'postgres://db/shop?target_session_attrs=master',
      'has an invalid target_session_attrs; it must be one of any, read-write, read-only, primary, standby',
    ],
    ['postgres://db/shop?sslmode=on', /^has an invalid sslmode; it must be one of disable, /],
  ])('is rejected with a message that says what is wrong and quotes no value: %s', (text, message) => {
    let thrown: unknown
    try {
      parseDatabaseUrl(text)
    } catch (error) {
      thrown = error
    }
    const actual = thrown instanceof Error ? thrown.message : 'nothing was thrown'
    if (typeof message === 'string') expect(actual).toBe(message)
    else expect(actual).toMatch(message)
    expect(actual).not.toMatch(/hunt|er2|shop|role/)
  })
})

import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('an IP address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:0.0.0.0', '0.0.0.0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    // Neither is IPv4-mapped.
    ['::192.0.2.1', '::c000:201'],
    ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'],
  ])('%s becomes %s', (text, canonical) => {
    expect(parseIpAddress(text)).toBe(canonical)
  })

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.0x4',
    '16909060',
    '1.2.3.4/32',
    '1.2.3.4:80',
    ' 1.2.3.4',
    '1.2.3.4\n',
    ':',
    ':::',
    '1:2',
    '1::2::3',
    '12345::',
    '::1.2.3',
    '::ffff:1.2.3.04',
    'fe80::1%eth0',
    '[::1]',
    '::1]/x[',
    '2001:db8::/32',
  ])('rejects %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined()
  })

  it('has one canonical form for every notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
        const hex = (high: number, low: number) => (high * 256 + low).toString(16)
        const forms = [
          ip,
          `::ffff:${ip}`,
          `::FFFF:${hex(a, b)}:${hex(c, d)}`,
          `0:0:0:0:0:ffff:${hex(a, b)}:${hex(c, d)}`,
        ]
        for (const form of forms) expect(parseIpAddress(form)).toBe(ip)
      }),
    )
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(groups, (numbers) => {
        const short = numbers.map((one) => one.toString(16)).join(':')
        const long = numbers.map((one) => one.toString(16).padStart(4, '0').toUpperCase()).join(':')
        const canonical = parseIpAddress(short)
        expect(canonical).toBeDefined()
        expect(parseIpAddress(long)).toBe(canonical)
        expect(parseIpAddress(canonical ?? '')).toBe(canonical)
      }),
    )
  })
})

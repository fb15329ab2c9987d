import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressGroup, peerAddress } from './peer-address.ts'

const trusted = new BlockList()
trusted.addSubnet('10.0.0.0', 8)
trusted.addSubnet('fd00::', 8, 'ipv6')

describe('the address of a caller', () => {
  it.each([
    ['without a proxy: the address of the socket', '203.0.113.7', undefined, '203.0.113.7'],
    ['from an untrusted peer: the address of the socket', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['behind one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['behind two proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [
      'behind proxies, ignoring what the caller claims',
      '10.0.0.1',
      '192.0.2.9, 198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    ['by IPv6', 'fd00::1', '2001:DB8::0:7', '2001:db8::7'],
    ['of a dual-stack socket', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['in brackets with a port', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['with a malformed header: the address of the proxy', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['when every hop is a proxy: the first', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [
      'more than 20 proxies: the last followed proxy',
      '10.0.0.1',
      `198.51.100.1, 10.0.0.9${', 10.0.0.2'.repeat(19)}`,
      '10.0.0.9',
    ],
    ['with a closed socket', undefined, undefined, '0.0.0.0'],
  ])('%s', (_, socket, forwardedFor, expected) => {
    expect(peerAddress(socket, forwardedFor, trusted)).toBe(expected)
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })
})

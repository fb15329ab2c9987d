import { BlockList, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressCheck } from './public-addresses.ts'

const isPublic = createAddressCheck([])

describe('the check of addresses', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0'])(
    'accepts the public address %s',
    (address) => expect(isPublic(address)).toBe(true),
  )

  it.each(['100.63.255.255', '100.128.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255', '168.63.129.17'])(
    'accepts %s, next to a special range',
    (address) => expect(isPublic(address)).toBe(true),
  )

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2003::1'])(
    'accepts the public address %s',
    (address) => expect(isPublic(address)).toBe(true),
  )

  it('rejects every address of the special-purpose registries of IANA', () => {
    const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
    for (const range of registries) {
      const [address = '', bits] = range.split('/')
      lists[familyOf(address)].addSubnet(address, Number(bits), familyOf(address))
      expect({ range, isPublic: isPublic(address) }).toEqual({ range, isPublic: false })
    }
    const isListed = (address: string) => lists[familyOf(address)].check(address, familyOf(address))
    const addresses = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(addresses, (address) => !(isListed(address) && isPublic(address))),
      { numRuns: 2000 },
    )
  })

  it('rejects the address at which Azure serves its virtual machines', () => {
    expect(isPublic('168.63.129.16')).toBe(false)
  })

  it('accepts the networks of the operator, and nothing beside them', () => {
    const check = createAddressCheck(['10.1.0.0/16', 'fd00::1/128', '127.0.0.1/32'])
    expect(['10.1.0.0', '10.1.255.255', 'fd00::1', '127.0.0.1', '8.8.8.8'].filter((one) => !check(one))).toEqual([])
    expect(['10.2.0.0', 'fd00::2', '127.0.0.2', '::ffff:10.1.0.1', '::1', 'fd00::1%lo'].filter(check)).toEqual([])
  })

  it.each(['', 'localhost', '8.8.8', '8.8', '0x08080808', '010.8.8.8', '8.8.8.8.8', '::g', '2606:4700::1%lo'])(
    'rejects %j, which is no canonical address',
    (text) => expect(isPublic(text)).toBe(false),
  )
})

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** The IPv4 and IPv6 Special-Purpose Address Registries of IANA, multicast, and deprecated ranges. */
const registries = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
  ...['::/96', '::1/128', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64'],
  ...['100:0:0:1::/64', '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

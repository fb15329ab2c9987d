import ipaddr from 'ipaddr.js'

/**
 * Creates the check of the addresses that requests may reach: public unicast addresses, and the operator's networks. IPv6
 * addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are never public.
 * @param allowedNetworks networks with their prefix lengths: `10.1.0.0/16`, `fd00::1/128`
 */
export function createAddressCheck(allowedNetworks: readonly string[]): AddressCheck {
  const allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
    // A zone selects an interface of this host.
    if (!isAddress || text.includes('%')) return false
    const address = ipaddr.parse(text)
    return allowed.some((network) => matches(address, network)) || isPublic(address)
  }
}

/** Whether a request may connect to the address, given as text. */
export type AddressCheck = (address: string) => boolean

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4'
    ? !cloudAddresses.some((network) => matches(address, network))
    : matches(address, globalUnicast)
}

/** Addresses outside the special ranges that clouds route to services of the host, from inside of a virtual machine. */
const cloudAddresses = [ipaddr.parseCIDR('168.63.129.16/32')]

/** All global unicast addresses that IANA assigns, so that special ranges of the future are not public either. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

function matches(address: Address, network: [Address, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

import { BlockList, isIP } from 'node:net'

/**
 * Parses a list such as "10.0.0.0/8,::1".
 * @returns each network with its prefix length: `10.0.0.0/8`, `::1/128`
 * @throws Error that fits `env.custom` if an item is neither an address nor a network
 */
export function parseNetworks(text: string): string[] {
  const items = text.split(',').map((one) => one.trim())
  return items.flatMap((item) => {
    if (item === '') return []
    const [address = '', prefix, ...rest] = item.split('/')
    const version = isIP(address)
    const bits = prefix === undefined ? addressBits(version) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (version === 0 || bits < 0 || bits > addressBits(version) || rest.length > 0) {
      throw new Error('must be a comma-separated list of addresses or networks such as 10.0.0.0/8')
    }
    return [`${address}/${bits}`]
  })
}

/** @param networks as `parseNetworks` returns them */
export function networksToBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

function addressBits(version: number): number {
  return version === 6 ? 128 : 32
}

import { Resolver } from 'node:dns/promises'

/** All addresses of a host name. @throws Error with the code of node:dns if there is none, or DNS does not respond */
export type Resolve = (host: string) => Promise<string[]>

/**
 * Creates a resolver that queries the servers of `/etc/resolv.conf`. Unlike `dns.lookup`, it occupies no thread: a name
 * whose servers do not respond delays no other. It reads neither `/etc/hosts` nor search domains.
 * @param servers for tests
 */
export function createResolver(servers?: readonly string[]): { resolve: Resolve; close(): void } {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return {
    async resolve(host) {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      if (addresses.length > 0) return addresses
      throw v4.status === 'rejected' ? v4.reason : new Error(`${host} has no address.`)
    },
    close: () => resolver.cancel(),
  }
}

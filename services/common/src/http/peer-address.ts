import type { IncomingMessage } from 'node:http'
import { type BlockList, isIPv4, isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address that a request came from. */
export function callerAddress({ socket, headers }: IncomingMessage, trusted: BlockList): string {
  return peerAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trusted)
}

/** The address at the other end of a connection: the caller's or a proxy's. */
export function socketAddress({ remoteAddress }: Socket): string {
  return canonical(remoteAddress ?? '') ?? '0.0.0.0'
}

/**
 * The address that a request came from. `X-Forwarded-For` is read from its end, and only as far as trusted proxies
 * wrote it: the first address that is not a trusted proxy is the caller's.
 */
export function peerAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  let peer = canonical(socketAddress ?? '') ?? '0.0.0.0'
  let rest = forwardedFor
  for (let hops = 0; rest !== undefined && hops < maxProxies && isTrustedProxy(peer, trusted); hops += 1) {
    const comma = rest.lastIndexOf(',')
    const next = canonical(rest.slice(comma + 1))
    if (next === undefined) break
    peer = next
    rest = comma < 0 ? undefined : rest.slice(0, comma)
  }
  return peer
}

/** A caller can name any number of trusted addresses; checking each of them takes time. */
const maxProxies = 20

/** The unit that a limit counts: an IPv4 address, or an IPv6 /64, since one subscriber controls all of it. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${network.map((part) => part.toString(16)).join(':')}::/64`
}

/** The canonical form of an address; IPv4-mapped IPv6 becomes IPv4. Undefined for anything else. */
function canonical(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (isIPv4(address)) return address
  return isIPv6(address) ? ipaddr.process(address).toString() : undefined
}

/** @param address in canonical form */
export function isTrustedProxy(address: string, trusted: BlockList): boolean {
  return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket, SocketAddress } from 'node:net'

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
  if (isIP(address) !== 6) return address
  return `${expand(address).slice(0, 4).join(':')}::/64`
}

/** The canonical form of an address; IPv4-mapped IPv6 becomes IPv4. Undefined for anything else. */
function canonical(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const version = isIP(address)
  if (version === 0) return undefined
  if (version === 4) return address
  const { address: spelled } = new SocketAddress({ address, family: 'ipv6' })
  const groups = expand(spelled)
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return toIpv4(groups)
  return spelled
}

/** @param address in canonical form */
export function isTrustedProxy(address: string, trusted: BlockList): boolean {
  return trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function expand(address: string): string[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}

function toIpv4(groups: readonly string[]): string {
  const [high, low] = [groups[6], groups[7]].map((group) => Number.parseInt(group ?? '0', 16))
  return [high, low].map((part = 0) => `${part >> 8}.${part & 255}`).join('.')
}

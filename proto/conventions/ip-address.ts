/** Format of IP addresses, shared by the services that ban them and check for bans. */

/**
 * Returns the canonical form of an address, undefined if the text is not an address. IPv6 follows RFC 5952; an
 * IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes the IPv4 address.
 */
export function parseIpAddress(text: string): string | undefined {
  if (ipv4.test(text)) return text
  // Only characters of an address reach the URL parser, which accepts every notation of IPv6.
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return undefined
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1)
  const mapped = canonical === undefined ? null : mappedIpv4.exec(canonical)
  return mapped ? dotted(`${mapped[1]}`, `${mapped[2]}`) : canonical
}

/** Leading zeros are rejected: 010 is octal to some parsers and decimal to others. */
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

function dotted(...halves: string[]): string {
  return halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

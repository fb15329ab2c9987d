/** What an IP address looks like, to whoever keeps bans of them and whoever asks for one. */

/**
 * The canonical text of an address, undefined for what is none. IPv6 is printed as RFC 5952 says; an IPv4 address
 * inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address, since that is who connects.
 */
export function parseIpAddress(text: string): string | undefined {
  if (ipv4.test(text)) return text
  // Nothing but what an address is made of gets to the parser of URLs, which knows all ways of writing IPv6.
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return undefined
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1)
  const mapped = canonical === undefined ? null : mappedIpv4.exec(canonical)
  return mapped ? dotted(`${mapped[1]}`, `${mapped[2]}`) : canonical
}

/** Without leading zeros: some take 010 for 8, others for 10. */
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

function dotted(...halves: string[]): string {
  return halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

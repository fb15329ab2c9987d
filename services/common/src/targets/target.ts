import type { AddressCheck } from './public-addresses.ts'

export interface TargetRules {
  /** Whether URLs may start with http. */
  allowHttp: boolean
  isAllowedAddress: AddressCheck
}

/** Where a request goes. */
export interface Target {
  url: URL
  /** The host without brackets and trailing dot. */
  host: string
  /** The addresses that the URL itself determines, without DNS. */
  addresses: string[] | undefined
}

/** Why a URL cannot be requested, as a clause with the subject "the URL". */
export class ForbiddenTarget extends Error {}

/**
 * Parses a URL as browsers do: numbers in any notation become an IPv4 address, and names become ASCII.
 * @throws ForbiddenTarget if its text shows that it must not be requested
 */
export function parseTarget(text: string, { allowHttp, isAllowedAddress }: TargetRules): Target {
  if (!URL.canParse(text)) throw new ForbiddenTarget('must be an absolute URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new ForbiddenTarget(allowHttp ? 'must start with https:// or http://' : 'must start with https://')
  }
  if (url.username !== '' || url.password !== '') throw new ForbiddenTarget('must not contain credentials')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const addresses = literalAddresses(host)?.filter(isAllowedAddress)
  if (addresses?.length === 0) throw new ForbiddenTarget(notPublic)
  return { url, host, addresses }
}

export const notPublic = 'must lead to a public address'

/** The parser of URLs prints every literal in its canonical form, and rejects other hosts that end with a number. */
function literalAddresses(host: string): string[] | undefined {
  if (/^[\d.]+$|:/.test(host)) return [host]
  // RFC 6761: these names never leave the host, regardless of DNS.
  return /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : undefined
}

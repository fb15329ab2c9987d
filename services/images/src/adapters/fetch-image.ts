import type { Clock } from '@storekeep/common/clock'
import { createRequester, type RequesterOptions } from '@storekeep/common/outgoing'
import { ImageFailure } from '../domain/image-failure.ts'
import { type ImageType, imageTypeOf } from '../domain/image-type.ts'

export interface Fetcher {
  /**
   * Fetches an image from the address that a record of a store names. Follows redirects, each of which must lead to a public
   * address, too.
   * @param known what the last response said about its version
   * @returns undefined if the image has not changed
   * @throws ImageFailure
   */
  fetch(url: string, known: ImageVersion): Promise<FetchedImage | undefined>
  /** Closes idle connections. */
  close(): Promise<void>
}

/** The validators of a response, for the next request. */
export interface ImageVersion {
  etag: string | null
  lastModified: string | null
}

export interface FetchedImage {
  bytes: Buffer
  type: ImageType
  version: ImageVersion
}

export function createFetcher({ timeoutMs, clock, ...options }: FetcherOptions): Fetcher {
  const requester = createRequester({ ...options, clock })
  return {
    async fetch(url, known) {
      const deadline = clock.monotonicMs() + timeoutMs
      let location = url
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        const outcome = await requester.request({
          method: 'GET',
          url: location,
          headers: requestHeaders(known),
          timeoutMs: Math.max(1, deadline - clock.monotonicMs()),
          maxBodyBytes: maxImageBytes,
        })
        if (outcome.kind === 'failure') throw new ImageFailure(outcome.reason, outcome.message)
        const { status, headers, body, isCut } = outcome
        if (status === 304 && (known.etag ?? known.lastModified) !== null) return undefined
        const next = redirectStatuses.has(status) ? headers.location : undefined
        if (next === undefined) return fetchedImage(status, headers, body, isCut)
        if (!URL.canParse(next, location)) throw new ImageFailure('protocol', 'The redirect has no valid address.')
        location = new URL(next, location).href
      }
      throw new ImageFailure('too-many-redirects', `The address redirects more than ${maxRedirects} times.`)
    },
    close: () => requester.close(),
  }
}

interface FetcherOptions extends Omit<RequesterOptions, 'clock'> {
  /** Of a fetch with all redirects. */
  timeoutMs: number
  clock: Clock
}

function requestHeaders({ etag, lastModified }: ImageVersion): Record<string, string> {
  return {
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
    // Nothing is decompressed before its size is known.
    'accept-encoding': 'identity',
    'user-agent': 'Storekeep-Images/1.0',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
}

function fetchedImage(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  isCut: boolean,
): FetchedImage {
  if (status !== 200) throw new ImageFailure('status', `The server responded with ${status}.`)
  if (isCut) throw new ImageFailure('too-large', `The image has more than ${maxImageBytes} bytes.`)
  const type = imageTypeOf(bytes)
  if (type === undefined)
    throw new ImageFailure('unsupported-type', 'The response is not a PNG, JPEG, WebP, GIF or AVIF.')
  return { bytes, type, version: { etag: validator(headers.etag), lastModified: validator(headers['last-modified']) } }
}

/** A server that sends a longer one is asked without it. */
function validator(text: string | undefined): string | null {
  return text !== undefined && /^[\x20-\x7e]{1,256}$/.test(text) ? text : null
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxRedirects = 3
const maxImageBytes = 5 * 1024 * 1024

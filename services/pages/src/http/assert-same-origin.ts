import type { IncomingMessage } from 'node:http'
import { errors } from '@storekeep/common/errors'

/**
 * Asserts that one of our pages submitted the form. Browsers send `Sec-Fetch-Site`, which scripts cannot set, to every
 * trustworthy origin. `Origin` decides only where it is absent: under `Referrer-Policy: no-referrer` it is "null" even for our own
 * pages.
 * @throws ServiceFault `forbidden`
 */
export function assertSameOrigin({ headers }: Pick<IncomingMessage, 'headers'>, origin: string): void {
  const site = headers['sec-fetch-site']
  const isSame =
    site === undefined ? headers.origin === origin : site === 'same-origin' && isOwn(headers.origin, origin)
  if (!isSame) throw errors.forbidden('The form was not submitted from this site.')
}

function isOwn(given: string | undefined, origin: string): boolean {
  return given === undefined || given === 'null' || given === origin
}

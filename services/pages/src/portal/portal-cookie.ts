import type { IncomingMessage } from 'node:http'
import { isFlakeId } from '@storekeep/common/flake'

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** What the browser keeps of a portal session. */
export interface PortalKey {
  storeId: string
  secret: string
}

/**
 * Reads the cookie of the portal. `__Host-`: only this host can set it, over HTTPS (browsers also accept http://localhost and
 * 127.0.0.1). `Lax`: the link of the store leads here from another site.
 */
export function readPortalCookie({ headers }: Pick<IncomingMessage, 'headers'>): PortalKey | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [, storeId = '', secret = ''] = /^__Host-portal=(\d{1,20})[.]([a-z2-7]{28})$/.exec(pair.trim()) ?? []
    if (isFlakeId(storeId)) return { storeId, secret }
  }
  return undefined
}

export function portalCookie({ storeId, secret }: PortalKey, maxAgeSeconds: number): { 'set-cookie': string } {
  return { 'set-cookie': `__Host-portal=${storeId}.${secret}; Max-Age=${maxAgeSeconds}; ${attributes}` }
}

/** Removes the cookie. */
export const noPortalCookie = { 'set-cookie': `__Host-portal=; Max-Age=0; ${attributes}` }

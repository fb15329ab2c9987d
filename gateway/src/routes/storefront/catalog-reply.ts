import type { CachedReply } from '../../catalog-cache.ts'
import type { GatewayContext } from '../../context.ts'
import type { Reply } from '../../http/endpoint.ts'
import { headerAliases } from './storefront-headers.ts'

/** What every operation of the catalog says about its responses. */
export const catalogText =
  'The response is the same for every customer and has an `ETag`; browsers and CDNs may keep it for 30 seconds. Changes appear in ' +
  'the service within five seconds.'

/** A cached reply with the headers for caches between the gateway and the shopper. */
export function catalogReply({ config }: GatewayContext, { rendered, page }: CachedReply): Reply<never> {
  const headers = config.http.headerAliases ? withAliases : withoutAliases
  return page ? { rendered, headers, page } : { rendered, headers }
}

const cacheControl = 'public, max-age=30, stale-while-revalidate=60'
const storeHeader = 'x-service-store-id'
const aliases = headerAliases.flatMap(([alias, name]) => (name === storeHeader ? [alias] : []))
const withoutAliases = { 'cache-control': cacheControl, vary: storeHeader }
const withAliases = { 'cache-control': cacheControl, vary: [storeHeader, ...aliases].join(', ') }

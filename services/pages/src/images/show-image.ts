import { errors, isFault } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { addressGroup } from '@storekeep/common/http'
import { enforceLimit } from '../http/limits.ts'
import type { Reply, Route, SiteName } from '../http/route.ts'
import { drawPlaceholder, type Placeholder, parsePlaceholder } from './placeholder.ts'

/** Serves our copies of the images that a store names. Where `imageAddress` leads. */
export function imageRoute(site: SiteName): Route {
  return {
    site,
    method: 'GET',
    path: '/images/{storeId}/{key}/{file}',
    // A browser shows no page in place of an image.
    isMachine: true,
    async handle(ctx, request) {
      enforceLimit(ctx, 'image-address', addressGroup(request.address), ctx.config.limits.imageAddressPerMinute)
      const { storeId = '', key = '', file = '' } = request.params
      const [, width] = /^(\d{2,4})[.]webp$/.exec(file) ?? []
      if (width === undefined || !isFlakeId(storeId) || !/^[\w-]{22}$/.test(key)) throw errors.notFound('image')
      const knownEtag = etagIn(request.req.headers['if-none-match'])
      const known = { key, width: Number(width), ...(knownEtag !== undefined && { knownEtag }) }
      try {
        const { contentType, image, etag } = await ctx.images.getImage(known, request.call(storeId))
        return image === undefined
          ? { status: 304, headers: cacheHeaders(etag) }
          : { status: 200, headers: { ...cacheHeaders(etag), 'content-type': contentType }, body: Buffer.from(image) }
      } catch (error) {
        const placeholder = parsePlaceholder(request.query.get('or') ?? '')
        if (!placeholder || !isFault(error, 'not-found', 'service-unavailable')) throw error
        return placeholderReply(placeholder, error.code === 'not-found' ? 404 : 503, Number(width))
      }
    },
  }
}

/** Browsers show the body of an error in place of an image. Nothing keeps it, because there may be a copy in a moment. */
async function placeholderReply(placeholder: Placeholder, status: number, width: number): Promise<Reply> {
  const body = (await drawPlaceholder(placeholder, width > 128 ? 96 : 22)).toString()
  return { status, headers: { 'content-type': 'image/svg+xml' }, body }
}

/**
 * The key follows from the address of the original, whose content can change, so a browser asks again after a day. Store sites
 * on other hosts show the images, too.
 */
function cacheHeaders(etag: string): NonNullable<Reply['headers']> {
  return {
    etag: `"${etag}"`,
    'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'accept-encoding',
  }
}

/** The validator that we sent; undefined for any other. Proxies can have made it weak. */
function etagIn(header: string | undefined): string | undefined {
  return /^(?:W\/)?"([\w-]{16})"$/.exec(header ?? '')?.[1]
}

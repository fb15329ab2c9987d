import { isFlakeId } from '@storekeep/common/flake'
import { addressGroup } from '@storekeep/common/http'
import { enforceLimit } from '../http/limits.ts'
import type { Handler } from '../http/route.ts'
import { catalogPage, titleOf } from '../views/catalog-page.ts'
import { loadProducts, loadTags, type ProductFilter } from './catalog.ts'
import { loadShopperForCatalog, loadStore } from './load-store.ts'
import { shopPage } from './shop-page.ts'

/** The first page of a store: its categories and products. */
export const showCatalog: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const filter = filterOf(request.query)
  // Any text is another query, so the cache does not help against a client that searches for random texts.
  if (filter.search !== undefined) {
    enforceLimit(ctx, 'search-address', addressGroup(request.address), ctx.config.limits.searchAddressPerMinute)
  }
  const [tags, shopper] = await Promise.all([loadTags(ctx, request, store), loadShopperForCatalog(ctx, request, store)])
  const tag = tags.find(({ id, slug }) => filter.tag !== undefined && (filter.tag === slug || filter.tag === id))
  const products = await loadProducts(ctx, request, store, { ...filter, tag: tag?.id })
  return shopPage(request, {
    title: titleOf({ request, tag, filter }),
    content: catalogPage({ request, store, tags, tag, filter, products }),
    store,
    shopper,
    isPublic: true,
  })
}

/** Malformed parts are ignored. */
function filterOf(query: URLSearchParams): ProductFilter {
  const cursor = (name: string) => {
    const id = query.get(name) ?? ''
    return isFlakeId(id) ? id : undefined
  }
  const search = [...(query.get('search') ?? '').trim()].slice(0, maxSearchLength).join('')
  return {
    tag: query.get('tag') ?? undefined,
    search: search === '' ? undefined : search,
    after: cursor('after'),
    before: cursor('before'),
  }
}

const maxSearchLength = 200

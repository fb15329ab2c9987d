import { isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { CatalogProduct } from '@storekeep/proto/checkout/v1/product'
import type { Tag } from '@storekeep/proto/checkout/v1/tag'
import type { CustomVariable } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { GameServer } from '@storekeep/proto/delivery/v1/game_server'
import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PagesContext } from '../context.ts'
import { loadGameServers } from '../delivery/load-delivery.ts'
import type { PageRequest } from '../http/route.ts'
import type { ProductPage } from './catalog-caches.ts'

/**
 * The store with a slug, in any cell.
 * @returns undefined for an unknown slug
 * @throws ServiceFault `service-unavailable` if no cell has the store and a cell did not respond
 */
export function findStore(ctx: PagesContext, request: PageRequest, slug: string): Promise<Store | undefined> {
  const call = shared(request.callOptions())
  return ctx.catalog.stores.get(slug, async () => {
    const cells = [...ctx.config.cells.keys()]
    const found = await Promise.allSettled(cells.map((cell) => ctx.stores.getStoreBySlug({ slug }, { ...call, cell })))
    for (const one of found) if (one.status === 'fulfilled' && one.value.store) return one.value.store
    for (const one of found) if (one.status === 'rejected' && !isFault(one.reason, 'not-found')) throw one.reason
    return undefined
  })
}

/** The tags that the store shows, in its order. The store of the request is known, as for everything below. */
export function loadTags(ctx: PagesContext, request: PageRequest, { id }: Store): Promise<readonly Tag[]> {
  const call = shared(request.callOptions())
  return ctx.catalog.tags.get(id, async () => {
    const { tags } = await ctx.tags.listTags({}, call)
    return tags.filter(({ enabled }) => enabled).sort(inOrder)
  })
}

/** One page of products that shoppers can buy now. */
export function loadProducts(
  ctx: PagesContext,
  request: PageRequest,
  { id: storeId }: Store,
  { tag, search, after, before }: ProductFilter,
): Promise<ProductPage> {
  const call = shared(request.callOptions())
  const filter = {
    limit: productsPerPage,
    ...(tag && { tag }),
    ...(search && { search }),
    ...(after ? { after } : before && { before }),
  }
  const load = async () => {
    const { products, page } = await ctx.products.listCatalogProducts(filter, call)
    return { products, hasNext: page?.hasNext ?? false, hasPrevious: page?.hasPrevious ?? false }
  }
  return search ? load() : ctx.catalog.products.get(JSON.stringify([storeId, tag, after, before]), load)
}

export interface ProductFilter {
  /** Id or slug of a tag. */
  tag?: string | undefined
  search?: string | undefined
  /** Cursors: ids of products. */
  after?: string | undefined
  before?: string | undefined
}

/** Fills rows of two, three and four. */
const productsPerPage = 24

/** A product with what its buyer chooses. @throws ServiceFault `not-found` */
export async function loadProduct(
  ctx: PagesContext,
  request: PageRequest,
  store: Store,
  idOrSlug: string,
): Promise<ProductChoices> {
  const { product } = await ctx.products.getCatalogProduct({ idOrSlug }, request.callOptions())
  if (!product) throw new Error('GetCatalogProduct returned no product')
  const { customVariableIds, singleGameServerOnly, gameServerIds } = product
  const [variables, servers] = await Promise.all([
    customVariableIds.length === 0 ? [] : loadVariables(ctx, request, store),
    singleGameServerOnly ? loadGameServers(ctx, request) : [],
  ])
  return {
    product,
    variables: customVariableIds.flatMap((id) => variables.find((variable) => variable.id === id) ?? []),
    gameServers: servers.filter(
      ({ id, enabled }) => enabled && (gameServerIds.length === 0 || gameServerIds.includes(id)),
    ),
  }
}

/** All questions of the store. */
export function loadVariables(
  ctx: PagesContext,
  request: PageRequest,
  { id }: Store,
): Promise<readonly CustomVariable[]> {
  const call = shared(request.callOptions())
  return ctx.catalog.variables.get(id, async () => (await ctx.variables.listCustomVariables({}, call)).customVariables)
}

export interface ProductChoices {
  product: CatalogProduct
  /** The questions that buyers answer, in their order. */
  variables: readonly CustomVariable[]
  /** The servers among which buyers choose. Empty if there is no choice. */
  gameServers: readonly GameServer[]
}

function inOrder(one: Tag, other: Tag): number {
  if (one.sortOrder !== other.sortOrder) return one.sortOrder - other.sortOrder
  return BigInt(one.id) < BigInt(other.id) ? -1 : 1
}

/** Options of a call whose result others wait for as well, who stay when this client leaves. */
function shared({ signal: _, ...options }: CallOptions): CallOptions {
  return { ...options }
}

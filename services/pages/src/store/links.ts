import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PageRequest } from '../http/route.ts'

/** The path of a page of the store, such as "/cart"; of its first page without one. */
export function storePath({ site }: Pick<PageRequest, 'site'>, { slug }: Pick<Store, 'slug'>, page = ''): string {
  return `${site.path}/${slug}${page}`
}

export function productPath(
  request: Pick<PageRequest, 'site'>,
  store: Pick<Store, 'slug'>,
  { id, slug }: { id: string; slug?: string | undefined },
): string {
  return storePath(request, store, `/products/${slug ?? id}`)
}

/** The path with a query. Undefined and empty values are omitted. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Where a shopper continues after signing in: a path of this store only, because an attacker may have written it. */
export function backPath(request: PageRequest, store: Pick<Store, 'slug'>, path: string): string {
  const { origin } = request.site
  const home = storePath(request, store)
  const url = path.length <= maxPathLength ? URL.parse(path, origin) : null
  const isOwn = url?.origin === origin && (url.pathname === home || url.pathname.startsWith(`${home}/`))
  return isOwn ? `${url.pathname}${url.search}` : home
}

/** Longer ones would not fit into a cookie. */
const maxPathLength = 1400

import type { PageLinks } from '../schemas/page.ts'

/**
 * The Link header of a page. `next` starts after its last item, `prev` ends before its first; other query parameters
 * are kept. With both cursors given, `next` stays within the interval.
 */
export function linkHeader(baseUrl: string, url: string, page: PageLinks): string {
  const { query, info, firstId, lastId } = page
  const isInterval = query.after !== undefined && query.before !== undefined
  const links: string[] = []
  if (info?.hasNext && lastId) links.push(link('next', { after: lastId, ...(!isInterval && { before: null }) }))
  if (info?.hasPrevious && firstId) links.push(link('prev', { before: firstId, after: null }))
  return links.join(', ')

  function link(rel: string, cursors: Record<string, string | null>): string {
    // A request line may contain an absolute URL; only its path and query are kept. The base is a placeholder:
    // without a public base URL the link is relative.
    const { pathname, searchParams: parameters } = new URL(url, 'http://localhost')
    for (const [name, value] of Object.entries(cursors)) {
      if (value === null) parameters.delete(name)
      else parameters.set(name, value)
    }
    return `<${baseUrl}${pathname}?${parameters}>; rel="${rel}"`
  }
}

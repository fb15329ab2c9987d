import type { Reply } from './endpoint.ts'

/**
 * The Link header of a page: `next` follows its last item, `prev` precedes its first, all else of the query stays.
 * What follows a page between two cursors ends at the second one as well.
 */
export function linkHeader(baseUrl: string, url: string, page: NonNullable<Reply<unknown>['page']>): string {
  const { query, info, firstId, lastId } = page
  const isInterval = query.after !== undefined && query.before !== undefined
  const links: string[] = []
  if (info?.hasNext && lastId) links.push(link('next', { after: lastId, ...(!isInterval && { before: null }) }))
  if (info?.hasPrevious && firstId) links.push(link('prev', { before: firstId, after: null }))
  return links.join(', ')

  function link(rel: string, cursors: Record<string, string | null>): string {
    // A request line may hold an absolute address; only its path and query are ours to repeat. Without a base
    // address of ours the link is relative, so any will do to read the line by.
    const { pathname, searchParams: parameters } = new URL(url, 'http://localhost')
    for (const [name, value] of Object.entries(cursors)) {
      if (value === null) parameters.delete(name)
      else parameters.set(name, value)
    }
    return `<${baseUrl}${pathname}?${parameters}>; rel="${rel}"`
  }
}

import type { Reply } from './endpoint.ts'

/**
 * The Link header of a page: `next` follows its last item, `prev` precedes its first, all else of the query stays. A
 * page between two cursors keeps the other one: its neighbours lie between the two as well.
 */
export function linkHeader(baseUrl: string, url: string, page: NonNullable<Reply<unknown>['page']>): string {
  const { query, info, firstId, lastId } = page
  const isInterval = query.after !== undefined && query.before !== undefined
  const links: string[] = []
  if (info?.hasNext && lastId) links.push(link('next', { after: lastId, ...(!isInterval && { before: null }) }))
  if (info?.hasPrevious && firstId) links.push(link('prev', { before: firstId, ...(!isInterval && { after: null }) }))
  return links.join(', ')

  function link(rel: string, cursors: Record<string, string | null>): string {
    const [path, search] = url.split('?')
    const parameters = new URLSearchParams(search)
    for (const [name, value] of Object.entries(cursors)) {
      if (value === null) parameters.delete(name)
      else parameters.set(name, value)
    }
    return `<${baseUrl}${path}?${parameters}>; rel="${rel}"`
  }
}

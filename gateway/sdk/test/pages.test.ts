import { describe, expect, it } from 'vitest'
import { collect, json, type Reply, startServer, storeId } from './scripted-server.ts'

/** A list of `count` records in pages as the gateway makes them. */
function pages(count: number, size: number, linkBase = ''): Reply {
  return (res, req) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
    const first = Number(searchParams.get('after') ?? 0) + 1
    const items = Array.from({ length: Math.min(size, count - first + 1) }, (_, index) => ({
      id: String(first + index),
    }))
    const last = items.at(-1)?.id ?? ''
    searchParams.set('after', last)
    const links = [
      ...(first > 1 ? [`<${linkBase}${pathname}?before=${first}>; rel="prev"`] : []),
      ...(Number(last) < count ? [`<${linkBase}${pathname}?${searchParams}>; rel="next"`] : []),
    ]
    return json(200, items, links.length > 0 ? { link: links.join(', ') } : {})(res, req)
  }
}

const ids = (items: { id: string }[]) => items.map(({ id }) => id)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

describe('a list', () => {
  it.each([
    [0, 3, 1],
    [1, 3, 1],
    [3, 3, 1],
    [4, 3, 2],
    [9, 3, 3],
  ])('of %d records in pages of %d yields each once, with %d requests', async (count, size, requests) => {
    const server = await startServer(pages(count, size))
    const seen = await collect(server.storekeep().customers.list({ search: 'a' }))
    expect(ids(seen)).toEqual(upTo(count))
    expect(server.requests).toHaveLength(requests)
    for (const { url } of server.requests) expect(url).toContain('search=a')
  })

  it('loads no further page than is read', async () => {
    const server = await startServer(pages(9, 3))
    for await (const { id } of server.storekeep().customers.list()) if (id === '3') break
    expect(server.requests).toHaveLength(1)
  })

  it('becomes an array of at most as many records as asked for, without loading further pages', async () => {
    const server = await startServer(pages(9, 3))
    const { customers } = server.storekeep()
    expect(ids(await customers.list().toArray({ limit: 4 }))).toEqual(upTo(4))
    expect(server.requests).toHaveLength(2)
    expect(ids(await (await customers.list()).toArray({ limit: 100 }))).toEqual(upTo(9))
    for (const limit of [0, 1.5, Number.NaN]) {
      await expect(customers.list().toArray({ limit })).rejects.toThrow('limit must be a positive integer')
    }
  })

  it('can be read page by page', async () => {
    const server = await startServer(pages(5, 2))
    const first = await server.storekeep().customers.list()
    expect([ids(first.data), ids(first.body), first.hasNextPage]).toEqual([['1', '2'], ['1', '2'], true])
    const second = await first.nextPage()
    const third = await second?.nextPage()
    expect([third?.hasNextPage, await third?.nextPage()]).toEqual([false, undefined])
    expect((await collect(first.pages())).map(({ data }) => data.length)).toEqual([2, 2, 1])
    expect(ids(await collect(first))).toEqual(upTo(5))
  })

  it('never sends its credential to the address of a link', async () => {
    const other = await startServer(json(200, []))
    const server = await startServer(pages(4, 2, other.baseUrl))
    expect(await collect(server.storekeep().bans.list())).toHaveLength(4)
    expect(other.requests).toHaveLength(0)
    for (const { url } of server.requests) expect(url).toMatch(`/v1/stores/${storeId}/bans`)
  })

  it('ends with an error when a page names itself as the next', async () => {
    const server = await startServer(json(200, [{ id: '1' }], { link: '</list?after=1>; rel="next"' }))
    await expect(collect(server.storekeep().customers.list())).rejects.toThrow('names itself')
    expect(server.requests).toHaveLength(2)
  })

  it('passes its options on to all requests', async () => {
    const server = await startServer(pages(4, 2))
    await collect(server.storekeep().customers.list({}, { headers: { 'x-request-id': 'mine' } }))
    expect(server.requests.map(({ headers }) => headers['x-request-id'])).toEqual(['mine', 'mine'])
  })

  it('has its items in a field of the body for a search', async () => {
    const body = { results: [{ id: '1' }], facets: { ban: 1 } }
    const server = await startServer(json(200, body))
    const page = await server.storekeep().dashboard.search({ query: 'mara' })
    expect([page.data, page.body]).toEqual([body.results, body])
  })

  it('that the gateway does not page is iterated in the same way', async () => {
    const server = await startServer(json(200, [{ id: '1' }, { id: '2' }]))
    expect(ids(await collect(server.storekeep().customVariables.list()))).toEqual(['1', '2'])
    expect(server.requests).toHaveLength(1)
  })
})

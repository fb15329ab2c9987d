import type { TestStore } from '@storekeep/test/kit'
import { expect } from 'vitest'

/** Pages of a list of six records: the query, where `#n` is the id of record n, and the records that it returns. */
export const pagesOfSix: [page: string, query: string, expected: number[]][] = [
  ['after in ascending order', 'asc=true&limit=2&after=#2', [3, 4]],
  ['before in ascending order, nearest first', 'asc=true&limit=2&before=#5', [3, 4]],
  ['both in ascending order', 'asc=true&limit=2&after=#1&before=#5', [2, 3]],
  ['after in descending order', 'limit=2&after=#4', [3, 2]],
  ['before in descending order, nearest first', 'limit=2&before=#1', [3, 2]],
  ['nothing beyond the end', 'after=#0', []],
]

/** Lists records, as indexes into `records`; `#n` in the query is the id of record n. */
export async function listIndexes(
  store: TestStore,
  path: string,
  records: readonly { id: string }[],
  query: string,
): Promise<number[]> {
  const filled = query.replace(/#(\d)/g, (_, index) => records[Number(index)]?.id ?? '')
  const { status, body, text } = await store.get<{ id: string }[]>(`${path}?${filled}`)
  expect(status, text).toBe(200)
  return body.map(({ id }) => records.findIndex((one) => one.id === id))
}

/** Lists all records through the `Link` headers of their pages, as indexes into `records`. */
export async function listByLinks(
  store: TestStore,
  path: string,
  records: readonly { id: string }[],
  query: string,
): Promise<number[]> {
  const { body, headers } = await store.get<{ id: string }[]>(`${path}?${query}`)
  const next = /<[^>?]*\?([^>]*)>; rel="next"/.exec(String(headers.link))?.[1]
  const page = body.map(({ id }) => records.findIndex((one) => one.id === id))
  return next === undefined ? page : [...page, ...(await listByLinks(store, path, records, next))]
}

import { StorekeepError } from '../errors.ts'

/** One page of a list. Iterating over it yields the items of this and all following pages. */
export class Page<Item, Body = Item[]> implements AsyncIterable<Item> {
  /** The items of this page. */
  readonly data: Item[]
  /** The whole body; `data` may be a part of it. */
  readonly body: Body
  readonly #next: string | undefined
  readonly #load: (query: string) => Promise<Page<Item, Body>>

  /**
   * @param next query of the next page
   * @param load loads a page of the same list
   */
  constructor(data: Item[], body: Body, next: string | undefined, load: (query: string) => Promise<Page<Item, Body>>) {
    this.data = data
    this.body = body
    this.#next = next
    this.#load = load
  }

  get hasNextPage(): boolean {
    return this.#next !== undefined
  }

  /** Undefined after the last page. */
  async nextPage(): Promise<Page<Item, Body> | undefined> {
    if (this.#next === undefined) return undefined
    const page = await this.#load(this.#next)
    // The iteration would never end.
    if (page.#next === this.#next) throw new StorekeepError('A page of the list names itself as the next page')
    return page
  }

  /** This page and all following ones. */
  async *pages(): AsyncGenerator<Page<Item, Body>, void, undefined> {
    for (let page: Page<Item, Body> | undefined = this; page; page = await page.nextPage()) yield page
  }

  /**
   * Returns at most `limit` items of this and the following pages. Loads no more pages than needed.
   *
   * @throws TypeError unless `limit` is a positive integer
   */
  async toArray(options: ToArrayOptions): Promise<Item[]> {
    return await collect(this, options)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}

export interface ToArrayOptions {
  /** The most items to return. Required, since a list can be larger than memory. */
  limit: number
}

/** Reads items into an array. @throws TypeError unless `limit` is a positive integer */
export async function collect<Item>(items: AsyncIterable<Item>, { limit }: ToArrayOptions): Promise<Item[]> {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new TypeError('limit must be a positive integer')
  const found: Item[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length === limit) break
  }
  return found
}

/**
 * The query of the next page, from a `Link` header. Only the query is used: the credential is never sent
 * to an address that a response names.
 */
export function nextQuery(link: string | null): string | undefined {
  const [, target] = /<([^<>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? []
  const query = target?.split('?')[1]
  return query === undefined ? undefined : query.split('#')[0]
}

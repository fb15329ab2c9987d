import type { PageInfo } from '@storekeep/proto/common/v1/page'

/** Reads all pages of 100 items, oldest first, and returns the ids on each. */
export async function readPages(list: (page: Page) => Promise<Listed>): Promise<string[][]> {
  const pages: string[][] = []
  let hasNext = true
  while (hasNext) {
    const after = pages.at(-1)?.at(-1)
    const { items, page } = await list({ limit: 100, asc: true, ...(after !== undefined && { after }) })
    pages.push(items.map(({ id }) => id))
    hasNext = page?.hasNext ?? false
  }
  return pages
}

interface Page {
  limit: number
  asc: boolean
  after?: string
}

interface Listed {
  items: readonly { id: string }[]
  page?: PageInfo | undefined
}

import type { PageInfo } from '@storekeep/proto/common/v1/page'

/** The ids on each page of 100, oldest first, until there is no next one. */
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

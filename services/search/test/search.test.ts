import { randomId } from '@storekeep/common/testing'
import { BanType } from '@storekeep/proto/bans/v1/ban'
import { SearchResultType as Type } from '@storekeep/proto/search/v1/search_service'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, settled, useSearch } from './harness.ts'
import { tellNew } from './records.ts'

const search = useSearch()
beforeAll(() => live(search))

it('finds', async () => {
  const storeId = randomId()
  const robin = await tellNew(search, 'customer', storeId, { name: 'Robin Äpfel' })
  await settled(search)
  const find = async (query: string) => idsOf(await search.client.search({ query }, inStore(storeId)))
  expect(await find('')).toEqual([robin.id])
  for (const q of ['robin', 'ROB', 'obi', 'rboin', 'robn', 'robinn', 'rubin', 'apfel', 'äpfel rob', robin.id])
    expect(await find(q), q).toEqual([robin.id])
  for (const q of ['roxxn', 'obinr', 'robin x', 'rx']) expect(await find(q), q).toEqual([])
})

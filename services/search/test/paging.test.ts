import { randomId } from '@storekeep/common/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, type Request, useSearch } from './harness.ts'
import { index, own, type TypeName } from './records.ts'

const search = useSearch()
let generation: string
beforeAll(async () => {
  generation = await live(search)
})

const titles = ['Robin', 'robin hood', 'Marian', 'Little John', 'Röbin']
const records = fc.array(fc.record({ title: fc.constantFrom(...titles), isCoupon: fc.boolean() }), { maxLength: 25 })

/** A store with customers and coupons of these titles, indexed without events. */
async function storeOf(titled: readonly { title: string; isCoupon: boolean }[]) {
  const storeId = randomId()
  const all: { id: string; type: TypeName; title: string }[] = []
  for (const { title, isCoupon } of titled) {
    const type = isCoupon ? 'coupon' : 'customer'
    const record = own(search.owners, type, storeId, isCoupon ? { code: title } : { name: title })
    await index(search, generation, type, record)
    all.push({ id: record.id, type, title })
  }
  return { storeId, all, find: (request: Request) => search.client.search(request, inStore(storeId)) }
}

const isRobin = ({ title }: { title: string }) => /r[oö]bin/i.test(title)

describe('pages', () => {
  it('together form the whole list, in either order, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.constantFrom('', 'robin'),
        async (made, limit, asc, query) => {
          const { all, find } = await storeOf(made)
          const way = asc ? 1 : -1
          const expected = all
            .filter((one) => query === '' || isRobin(one))
            .map(({ id }) => id)
            .sort((a, b) => way * Number(BigInt(a) - BigInt(b)))

          const forwards: string[] = []
          for (let after: string | undefined, rest = true; rest; ) {
            const response = await find({ query, page: { limit, asc, ...(after && { after }) } })
            forwards.push(...idsOf(response))
            after = idsOf(response).at(-1)
            rest = response.page?.hasNext === true
            const customers = all.filter((one) => one.type === 'customer' && (query === '' || isRobin(one)))
            expect(countsOf(response)[1] ?? 0).toBe(customers.length)
          }
          expect(forwards).toEqual(expected)

          const backwards: string[] = []
          let before: string | undefined = asc ? '9223372036854775806' : '1'
          while (before) {
            const response = await find({ query, page: { limit, asc, before } })
            backwards.unshift(...idsOf(response))
            before = response.page?.hasPrevious ? idsOf(response)[0] : undefined
          }
          expect(backwards).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('start with the record whose id equals the query, once, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 2, max: 7 }), fc.boolean(), async (made, limit, asc) => {
        const { storeId, find } = await storeOf(made)
        const target = own(search.owners, 'customer', storeId, { name: 'Friar' })
        await index(search, generation, 'customer', target)
        const naming = []
        for (let n = 0; n < made.length; n += 1) {
          const ban = own(search.owners, 'ban', storeId, { reason: `see ${target.id}` })
          await index(search, generation, 'ban', ban)
          naming.push(ban.id)
        }
        const seen: string[] = []
        for (let after: string | undefined, rest = true; rest; ) {
          const response = await find({ query: target.id, page: { limit, asc, ...(after && { after }) } })
          seen.push(...idsOf(response))
          after = idsOf(response).at(-1)
          rest = response.page?.hasNext === true
        }
        const way = asc ? 1 : -1
        expect(seen).toEqual([target.id, ...naming.sort((a, b) => way * Number(BigInt(a) - BigInt(b)))])
      }),
      { numRuns: 10 },
    )
  })
})

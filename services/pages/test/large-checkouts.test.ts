import { randomId, useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startPages } from './start-pages.ts'

/** Links to checkouts of store 1, which are large, and of store 2. */
const large = Array.from('abcdef', (letter) => letter.repeat(28))
const [usual, largeToo] = ['y'.repeat(28), 'z'.repeat(28)]

let held: Promise<void> | undefined
/** Loads of checkouts of store 1 in progress, and the most there were. */
const loads = { current: 0, most: 0 }

const answeredVariables = Array.from({ length: 20 }, (_, n) => ({ identifier: `v${n}`, name: `V${n}` }))
const lines = Array.from({ length: 100 }, () => ({ name: 'VIP', quantity: 1, unitPrice: 1n, answeredVariables }))
const orders = useFakeService(PaymentsService, {
  getPaymentState: async ({ token }) => {
    const storeId = large.includes(token) ? '1' : '2'
    if (storeId === '1') {
      loads.current += 1
      loads.most = Math.max(loads.most, loads.current)
      await held
      loads.current -= 1
    }
    const session = { id: randomId(), storeId, totalAmount: 100n, currency: 'eur' }
    return { session: { ...session, ...(token !== usual && { lines }) } }
  },
  listPaymentMethods: async () => ({ providers: [] }),
})
const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: '1', name: 'Isles' } }) })

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    ORDERS_ADDRESS: orders.address,
    RATE_LIMIT_ADDRESS_PER_MINUTE: '100000',
  })
})
afterAll(() => pages.stop())

const view = (token: string, from?: string) => pages.send({ path: `/?t=${token}`, ...(from && { from }) })

/** Views the large checkouts of store 1, so that they are known as such, and holds the loads that follow. */
async function holdLargeCheckouts(): Promise<() => void> {
  for (const token of large) expect((await view(token)).status).toBe(200)
  loads.most = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return () => {
    held = undefined
    resolve()
  }
}

describe('the large checkouts of one store', () => {
  it('are loaded one at a time, while checkouts of other stores open', async () => {
    const release = await holdLargeCheckouts()
    const views = large.flatMap((token) => [view(token), view(token)])
    await vi.waitFor(() => expect(loads.current).toBeGreaterThan(0))
    for (const token of [usual, largeToo, usual]) expect((await view(token)).status).toBe(200)
    release()
    expect(new Set((await Promise.all(views)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(loads.most).toBe(1)
  })

  it('are to be requested again when 50 requests wait for them', async () => {
    const release = await holdLargeCheckouts()
    const rejected: (string | undefined)[] = []
    const views = Array.from({ length: 60 }, async (_, n) => {
      const { status, retryAfter } = await view(large[n % large.length] ?? '', `192.0.2.${n}`)
      if (status === 503) rejected.push(retryAfter)
      return status
    })
    await vi.waitFor(() => expect(rejected).toHaveLength(9), 10_000)
    release()
    expect((await Promise.all(views)).filter((status) => status === 200)).toHaveLength(51)
    expect(rejected).toEqual(Array.from({ length: 9 }, () => '1'))
    expect((await view(usual)).status).toBe(200)
  })
})

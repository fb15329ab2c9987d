import { describe, expect, it } from 'vitest'
import type { StockLimit } from './product.ts'
import { type StockDemand, stockViolations, windowStart } from './stock.ts'

const limit = (timeValue: number | null, timeScale: StockLimit['timeScale']): StockLimit => {
  return { enabled: true, quantity: 5, timeValue, timeScale, includeTrials: false }
}

describe('the window of a stock limit', () => {
  it.each<[number | null, StockLimit['timeScale'], string, string | undefined]>([
    [null, null, '2026-11-24T12:00:00.000Z', undefined],
    [2, 'day', '2026-03-01T12:00:00.000Z', '2026-02-27T12:00:00.000Z'],
    [3, 'week', '2026-11-24T12:00:00.000Z', '2026-11-03T12:00:00.000Z'],
    [1, 'month', '2026-11-24T12:00:00.000Z', '2026-10-24T12:00:00.000Z'],
    [1, 'month', '2026-03-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
    [13, 'month', '2026-01-31T00:00:00.000Z', '2024-12-31T00:00:00.000Z'],
    [1, 'year', '2028-02-29T12:00:00.000Z', '2027-02-28T12:00:00.000Z'],
    [10_000, 'year', '2026-11-24T12:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ])('of %s %s before %s starts at %s', (value, scale, now, expected) => {
    expect(windowStart(limit(value, scale), new Date(now))?.toISOString()).toBe(expected)
  })
})

describe('the violations of stock limits', () => {
  const demand = (quantity: number, productId = '1', customerId: string | null = '7'): StockDemand => ({
    at: `${productId} ${quantity}`,
    productId,
    customerId,
    quantity,
    storeStockLimit: limit(null, null),
    customerStockLimit: null,
    stockLimitDoNotIncludeRemoved: false,
  })
  const paths = (demands: StockDemand[], byStore: number[]) =>
    stockViolations(
      demands,
      byStore.map((units) => ({ byStore: units, byCustomer: undefined })),
    ).map(({ path }) => path)

  it('take the units of a line only if it can have all of them', () => {
    expect(paths([demand(4), demand(3), demand(1)], [0, 0, 0])).toEqual(['1 3'])
  })

  it('count each product on its own', () => {
    expect(paths([demand(5), demand(5, '2'), demand(1, '2')], [0, 0, 0])).toEqual(['2 1'])
  })

  it('are the same for a limit that was lowered below what is sold', () => {
    expect(paths([demand(1)], [9])).toEqual(['1 1'])
  })

  it('ignore a customer limit while the customer is unknown', () => {
    const unknown = { ...demand(9, '1', null), storeStockLimit: null, customerStockLimit: limit(null, null) }
    expect(stockViolations([unknown], [{ byStore: undefined, byCustomer: undefined }])).toEqual([])
    expect(stockViolations([unknown], [{ byStore: undefined, byCustomer: 0 }])).toHaveLength(1)
  })
})

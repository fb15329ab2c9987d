import { openShop, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { describe, expect, inject, it } from 'vitest'
import { queries } from '../observability/files.ts'
import { selectionsOf } from '../observability/promql.ts'
import { readScrape, type Scrape } from '../observability/scrape.ts'
import { unknownParts } from '../observability/unknown-parts.ts'

const { createStore, http } = await useSharedSystem()

/** Causes each kind of event that is counted at least once. */
async function makeTraffic(): Promise<void> {
  const store = await createStore()
  const shop = openShop(store)
  const [customer, product, coupon] = [await shop.customer(), await shop.product(), await shop.coupon()]
  const { body: session } = await shop.order({
    customer_id: customer.id,
    lines: [{ product_id: product.id, quantity: 1 }],
    promo_codes: [coupon.code],
  })
  const { body } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)
  await store.shop('GET', '/store/customer', { token: body.token })
  await store.delete(`/customers/${customer.id}/tokens`)
  await store.shop('GET', '/store/customer', { token: body.token })
  await http.request('GET', '/nowhere')
  await (await fetch(`${inject('system').pagesUrl}/checkout/?t=${session.token}`)).text()
}

async function scrapeAll(): Promise<Scrape> {
  const texts = inject('system').metricsUrls.map(async (url) => (await fetch(url)).text())
  return readScrape(await Promise.all(texts))
}

describe('the metrics of all processes together', () => {
  it('have every metric, label and value that alerts and dashboards use', async () => {
    await makeTraffic()
    const selections = queries.flatMap(({ where, query }) =>
      selectionsOf(query).map((selection) => ({ where, selection })),
    )
    let missing: string[] = []
    await waitFor(
      'all expected metrics',
      async () => {
        const scrape = await scrapeAll()
        missing = selections.flatMap(({ where, selection }) =>
          unknownParts(selection, scrape).map((part) => `${where}: ${part}`),
        )
        return missing.length === 0
      },
      { everyMs: 500 },
    ).catch(() => {})
    expect(missing).toEqual([])
  })

  it('negative control: a missing metric, label or value is detected', async () => {
    const scrape = await scrapeAll()
    const [one, two, three, four] = selectionsOf(
      'orders_total + outbox_oldest_event_age_seconds{color="red"} + outbox_oldest_event_age_seconds{service="shop"} + sum by (color) (dead_letters)',
    ).map((selection) => unknownParts(selection, scrape))
    expect([one, two, three, four]).toEqual([
      ['orders_total'],
      ['outbox_oldest_event_age_seconds{color}'],
      ['outbox_oldest_event_age_seconds{service="shop"}'],
      ['dead_letters by color'],
    ])
  })

  it('describe every metric in a sentence', async () => {
    const { helps } = await scrapeAll()
    const own = [...helps].filter(([name]) => !/^(process|nodejs)_/.test(name))
    expect(own.length).toBeGreaterThan(20)
    expect(own.filter(([, help]) => !/^[A-Z0-9].*\.$/.test(help))).toEqual([])
  })

  it('name metrics by what they measure and in which unit', async () => {
    const { types } = await scrapeAll()
    const own = [...types].filter(([name]) => !/^(process|nodejs)_/.test(name))
    expect(own.filter(([name, type]) => type === 'counter' && !name.endsWith('_total'))).toEqual([])
    expect(own.filter(([name, type]) => type === 'histogram' && !name.endsWith('_seconds'))).toEqual([])
    expect(own.filter(([name]) => /_(ms|millis|minutes|hours|kb|mb)(_|$)/.test(name))).toEqual([])
  })

  it('have no label of unbounded cardinality, such as an id, a path or a name', async () => {
    await makeTraffic()
    const { samples } = await scrapeAll()
    const seen = [...samples].flatMap(([name, labels]) =>
      [...labels].flatMap(([label, values]) => [...values].map((value) => ({ name, label, value }))),
    )
    expect(seen.filter(({ value }) => /\d{9,}|[0-9a-f]{8}-[0-9a-f]{4}|sk[a-z]+_|@/.test(value))).toEqual([])
    const routes = samples.get('http_server_request_duration_seconds_count')?.get('http_route') ?? new Set()
    expect([...routes].filter((route) => route !== 'none' && !route.startsWith('/'))).toEqual([])
    expect(routes).not.toContain('/nowhere')
    const [most] = [...samples]
      .flatMap(([name, labels]) => [...labels.values()].map((values) => [values.size, name] as const))
      .sort(([a], [b]) => b - a)
    // The routes of the API and the methods of all services are the longest lists of values.
    expect(most?.[0]).toBeLessThan(200)
  })
})

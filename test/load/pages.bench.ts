import { readFileSync } from 'node:fs'
import { openShop, startProduct } from '@storekeep/test/kit'
import type { LoadRequest } from './http-load.ts'
import { type Measured, measure, type Side, warmUp } from './measure.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'

/**
 * Measures the CPU time of the pages that shoppers open, compared with reading a customer (W1), in alternating rounds. All
 * processes are one here, so the figures contain the services that a page calls.
 */
const rounds = Number(process.env.ROUNDS ?? 4)
const count = Number(process.env.REQUESTS ?? 2000)
const connections = Number(process.env.CONNECTIONS ?? 16)
const warmth = { seconds: Number(process.env.WARM_UP_SECONDS ?? 8), batch: 1000, servers: {} }

const product = await startProduct([{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000' }], {
  pages: { RATE_LIMIT_ADDRESS_PER_MINUTE: '100000000' },
})
try {
  const store = await product.createStore()
  const shop = openShop(store)
  const customer = await shop.customer()
  const { id } = await shop.product({ name: 'Starter kit', price: 1250 })
  const lines = [1, 2, 3].map((quantity) => ({ product_id: id, quantity }))
  const { body } = await shop.order({ customer_id: customer.id, lines })
  const pids = { product: childOf(process.pid) }
  const [gateway, pages] = [product.address.gatewayUrls[0] ?? '', product.address.pagesUrl ?? '']
  const w1 = get(gateway, `/v1/stores/${store.id}/customers/${customer.id}`, {
    authorization: `APIKey ${store.apiKey}`,
  })
  const host = new URL(pages).host
  const checkout = get(pages, `/checkout/?t=${body.token}`, { host, 'accept-encoding': 'gzip' })

  function get(url: string, path: string, headers: Record<string, string>): Target {
    return { side: { url, pids }, make: () => ({ method: 'GET', path, headers }) }
  }

  const results: { w1: Measured; checkout: Measured }[] = []
  for (const { side, make } of [w1, checkout]) await warmUp(side, make, warmth)
  for (let round = 0; round < rounds; round += 1) results.push({ w1: await run(w1), checkout: await run(checkout) })
  const of = (pick: (one: (typeof results)[number]) => number) => median(results.map(pick))
  print(`W1 customer by id: ${of((one) => one.w1.cpuMs).toFixed(3)} ms CPU`)
  print(
    `checkout page, three lines: ${of((one) => one.checkout.cpuMs).toFixed(3)} ms CPU, ` +
      `${of((one) => one.checkout.cpuMs / one.w1.cpuMs).toFixed(2)} × W1, ${of((one) => one.checkout.bytes).toFixed(0)} bytes`,
  )
} finally {
  await product.stop()
}

interface Target {
  side: Side
  make(): LoadRequest
}

function run({ side, make }: Target): Promise<Measured> {
  return measure(side, make, { count, connections, servers: {} })
}

/** The process of the product. */
function childOf(pid: number): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(child)
}

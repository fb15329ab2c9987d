import { fresh, openShop, type ReceivedSpan, startOtlpReceiver, startProduct, waitFor } from '@storekeep/test/kit'
import { afterAll, expect, it } from 'vitest'

// Most of the cost of a purchase is its statements, of all services together, begin and commit included. The spans of a request
// show them. What only its events cause, such as indexing, is not part of the response and not counted.
const receiver = await startOtlpReceiver()
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: '1' }
const product = await startProduct([{}], { pages: tracing })
afterAll(async () => {
  await product.stop()
  await receiver.close()
})

const pagesUrl = product.address.pagesUrl ?? ''
const store = await product.createStore()
const shop = openShop(store)
const { id: product_id } = await shop.product({ price: 1250 })
const customer = await shop.customer()

it('a purchase takes few statements: 5 to show the checkout, 18 to start the payment, 26 from its approval to the order', async () => {
  const purchases: Purchase[] = []
  // Retries of a busy machine can only add statements.
  for (let round = 0; round < 3; round += 1) purchases.push(await purchase())
  const fewest = (step: keyof Purchase) => Math.min(...purchases.map((one) => one[step]))
  expect(fewest('page')).toBeLessThanOrEqual(5)
  expect(fewest('pay')).toBeLessThanOrEqual(18)
  expect(fewest('approve')).toBeLessThanOrEqual(26)
  // One more statement would be noticed: this notice names the products that the product requires.
  expect((await purchase('&notice=product-required&line=1')).page).toBeGreaterThan(fewest('page'))
})

type Purchase = Record<'page' | 'pay' | 'approve', number>

/** The statements of each request of a shopper who pays with the test provider. @param notice what the page shows */
async function purchase(notice = ''): Promise<Purchase> {
  const { body, text } = await shop.order({ customer_id: customer.id, lines: [{ product_id, quantity: 2 }] })
  expect(body.token, text).toBeDefined()
  const address = (path: string) => `${pagesUrl}/checkout${path}?t=${body.token}`
  const send = (path: string, form: Record<string, string>) =>
    fetch(address(path), {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(pagesUrl).origin },
      body: new URLSearchParams(form),
    })
  const page = await statementsOf(200, () => fetch(address('/') + notice))
  const pay = await statementsOf(303, () => send('/pay', { email: fresh.email(), method: 'test', total: '2500' }))
  const approve = await statementsOf(303, () => send('/test-payment', { decision: 'approve' }))
  const { body: read } = await store.get<{ status: string }>(`/checkouts/${body.id}`)
  expect(read.status).toBe('completed')
  return { page, pay, approve }
}

async function statementsOf(status: number, send: () => Promise<Response>): Promise<number> {
  // One process runs the whole product, so all spans have its name.
  const roots = () =>
    receiver.spans.filter(({ name, kind, parentId }) => {
      return kind === 'server' && parentId === '' && !/ \/(v1|openapi)/.test(name)
    })
  const before = roots().length
  const response = await send()
  expect(response.status).toBe(status)
  await response.arrayBuffer()
  const trace = await waitFor('the whole trace of the request', () => wholeTraceOf(roots()[before]))
  const byId = new Map(trace.map((span) => [span.spanId, span]))
  const isCausedByEvent = (span: ReceivedSpan): boolean => {
    const above = byId.get(span.parentId)
    return above !== undefined && (above.kind === 'producer' || isCausedByEvent(above))
  }
  const statements = trace.filter((span) => isStatement(span) && !isCausedByEvent(span))
  // Begin has no span.
  return statements.length + statements.filter(({ name }) => name === 'COMMIT').length
}

/** The spans of a trace once no process has to send any: each call has reached a server, whose statements ended before. */
function wholeTraceOf(root: ReceivedSpan | undefined): ReceivedSpan[] | undefined {
  if (root === undefined) return undefined
  const trace = receiver.spans.filter(({ traceId }) => traceId === root.traceId)
  const served = new Set(trace.filter(({ kind }) => kind === 'server').map(({ parentId }) => parentId))
  const calls = trace.filter(({ kind, attributes }) => kind === 'client' && attributes['rpc.method'] !== undefined)
  return calls.length > 0 && calls.every(({ spanId }) => served.has(spanId)) ? trace : undefined
}

const isStatement = ({ attributes }: ReceivedSpan) => attributes['db.query.summary'] !== undefined

import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const storeId = randomId()
const received: Buffer[] = []
const orders = useFakeService(PaymentsService, {
  checkWebhookReceiver: async (_request, { storeId: asked }) => {
    if (asked !== storeId) throw errors.notFound('webhook')
    return {}
  },
  handleWebhook: async ({ body }) => {
    received.push(Buffer.from(body))
    return {}
  },
})

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: '127.0.0.1:1',
    CHECKOUT_ADDRESS: '127.0.0.1:1',
    ORDERS_ADDRESS: orders.address,
  })
})
afterAll(() => pages.stop())

describe('webhooks of a payment provider', () => {
  const headers = { 'stripe-signature': 't=1,v1=00' }
  const path = (store: string) => `/webhooks/stripe/${store}`

  it('webhooks for a store that has not enabled them are rejected before their body arrives', async () => {
    // The body never ends: a process that read it first would not respond.
    const response = await pages.sendBytes({ path: path(randomId()), headers, body: Buffer.alloc(1), announced: 1000 })
    expect(response.status).toBe(404)
  })

  it('are passed on byte for byte', async () => {
    const body = Buffer.from([0, 255, 10, 13])
    expect((await pages.sendBytes({ path: path(storeId), headers, body })).status).toBe(200)
    expect(received).toEqual([body])
  })

  it('webhooks above 64 KiB are rejected', async () => {
    const body = Buffer.alloc(64 * 1024 + 1)
    expect((await pages.sendBytes({ path: path(storeId), headers, body })).status).toBe(413)
    expect(received).toHaveLength(1)
  })
})

import type { TestGateway } from './harness.ts'
import { newId } from './ids.ts'

export const [customer, product, other] = [newId(), newId(), newId()]

export const line = { quantity: 1, product_id: product }

export const inline = { name: 'Something', price: 500 }

export const body = { lines: [line], customer_id: customer }

export function sendOrder(gateway: TestGateway, json: unknown, headers: Record<string, string> = {}) {
  return gateway.newStore().send('POST', '/checkouts', { json, headers })
}

import { cellOfLinkToken } from '@storekeep/common/crypto'
import { createTestDatabase, type TestDatabase } from '@storekeep/common/testing/database'
import { afterAll, expect, it } from 'vitest'
import { inline, inStore, useCheckouts } from './harness.ts'

const cell = 5
let database: TestDatabase | undefined
afterAll(() => database?.drop())

const checkouts = useCheckouts(async (env) => {
  database = await createTestDatabase(['checkout'])
  return { ...env, CELL: String(cell), DATABASE_URL: database.urlOf('checkout') }
})
const storeId = String((1_234n << 22n) | (BigInt(cell) << 16n) | (1n << 12n))

it('the link of a checkout names the cell of its store, by which the pages find it', async () => {
  const customerId = checkouts.others.customers.add(storeId)
  const { token } = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, inStore(storeId))
  expect(cellOfLinkToken(token)).toBe(cell)
})

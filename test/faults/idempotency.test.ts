import { expectFault, fresh, report, type System, scaled, seededRandom, startSystem } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countByName, openStores, writeAll } from './keyed-writes.ts'
import { newCustomerWrite, newTokenWrite } from './retrying-writer.ts'
import { lockCustomer } from './row-lock.ts'

let system: System
beforeAll(async () => {
  const settings = { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }
  system = await startSystem({
    only: ['stores', 'customers'],
    gateways: [settings, settings],
    settings: { customers: { LOG_LEVEL: 'warn' } },
  })
})
afterAll(() => system.stop())

/** Goal 3, invariant I5. */
it('applies a write with an idempotency key once and repeats the same response while processes are killed', async () => {
  const random = seededRandom()
  const { stores, customerId } = await openStores(system)
  const writes = Array.from({ length: scaled(300) }, (_, index) =>
    index % 3 === 0 ? newTokenWrite(customerId) : newCustomerWrite(),
  )
  const first = await writeAll(system, stores, writes, { keyed: true, kills: scaled(5), random })
  const again = await writeAll(system, stores, writes, { keyed: true, kills: 0, random })
  const different = writes.filter(({ key }) => first.texts.get(key) !== again.texts.get(key))
  const names = writes.flatMap(({ input }) => (input ? [input.name] : []))
  const counts = await countByName(system, names)
  const duplicates = names.filter((name) => counts.get(name) !== 1)
  const tokens = new Set(writes.flatMap(({ key, input }) => (input ? [] : [first.texts.get(key)])))
  report('idempotency', {
    seed: random.seed,
    writes: writes.length,
    kills: first.kills,
    attempts: first.attempts,
    duplicates: duplicates.length,
    'other bytes': different.length,
  })
  // The gateways retry too, so at a small scale no attempt of the client has to fail.
  expect(first.kills).toBe(scaled(5))
  expect(duplicates).toEqual([])
  expect(different).toEqual([])
  expect(tokens.size).toBe(Math.ceil(writes.length / 3))
})

/** Negative control: without keys the same client creates some customers twice. */
it('applies some of the same writes more than once without keys', async () => {
  const random = seededRandom()
  const { stores } = await openStores(system)
  let duplicates = 0
  let rounds = 0
  while (duplicates === 0 && rounds < 20) {
    rounds += 1
    const writes = Array.from({ length: 150 }, newCustomerWrite)
    await writeAll(system, stores, writes, { keyed: false, kills: 2, random })
    const counts = await countByName(
      system,
      writes.map(({ input }) => input?.name ?? ''),
    )
    duplicates = [...counts.values()].filter((count) => count > 1).length
  }
  report('idempotency, without keys', { seed: random.seed, rounds, duplicates })
  expect(duplicates).toBeGreaterThan(0)
})

it('returns 409 while a request with the same key is running, and its response afterwards', async () => {
  const { stores, customerId } = await openStores(system)
  const [store] = stores
  if (!store) throw new Error('The test needs a gateway.')
  const headers = { 'idempotency-key': fresh.idempotencyKey() }
  const change = () => store.patch(`/customers/${customerId}`, { name: 'Changed once' }, { headers })
  const lock = await lockCustomer(system.address.adminUrl, customerId)
  const first = change()
  await lock.waiting(1)
  expectFault(await change(), 'conflict')
  await lock.release()
  const done = await first
  expect(done.status).toBe(200)
  expect((await change()).text).toBe(done.text)
})

import {
  expectFault,
  fresh,
  onServer,
  report,
  type SeededRandom,
  type System,
  scaled,
  seededRandom,
  startSystem,
  type TestStore,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KeyedWrite, newCustomerWrite, newTokenWrite, writeUntilAnswered } from './retrying-writer.ts'
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

/** The production guarantee: goal 3, invariant I5. */
it('a write with a key happens once and answers the same bytes, though its processes are killed', async () => {
  const random = seededRandom()
  const { shops, customerId } = await openShops()
  const writes = Array.from({ length: scaled(300) }, (_, index) =>
    index % 3 === 0 ? newTokenWrite(customerId) : newCustomerWrite(),
  )
  const first = await writeAll(shops, writes, { keyed: true, kills: scaled(5), random })
  const again = await writeAll(shops, writes, { keyed: true, kills: 0, random })
  const different = writes.filter(({ key }) => first.texts.get(key) !== again.texts.get(key))
  const names = writes.flatMap(({ input }) => (input ? [input.name] : []))
  const counts = await countByName(names)
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
  expect(first.kills).toBe(scaled(5))
  expect(first.attempts).toBeGreaterThan(writes.length)
  expect(duplicates).toEqual([])
  expect(different).toEqual([])
  expect(tokens.size).toBe(Math.ceil(writes.length / 3))
})

/** The negative twin: the same client without keys makes some customers twice. */
it('the same writes without a key happen more than once', async () => {
  const random = seededRandom()
  const { shops } = await openShops()
  let duplicates = 0
  let rounds = 0
  while (duplicates === 0 && rounds < 20) {
    rounds += 1
    const writes = Array.from({ length: 150 }, newCustomerWrite)
    await writeAll(shops, writes, { keyed: false, kills: 2, random })
    const counts = await countByName(writes.map(({ input }) => input?.name ?? ''))
    duplicates = [...counts.values()].filter((count) => count > 1).length
  }
  report('idempotency, without keys', { seed: random.seed, rounds, duplicates })
  expect(duplicates).toBeGreaterThan(0)
})

it('a call with the key of one that still runs answers 409, and the same as the first one once that is done', async () => {
  const { shops, customerId } = await openShops()
  const [shop] = shops
  if (!shop) throw new Error('The test needs a gateway.')
  const headers = { 'idempotency-key': fresh.idempotencyKey() }
  const change = () => shop.patch(`/customers/${customerId}`, { name: 'Changed once' }, { headers })
  const lock = await lockCustomer(system.address.adminUrl, customerId)
  const first = change()
  await lock.waiting(1)
  expectFault(await change(), 'conflict')
  await lock.release()
  const done = await first
  expect(done.status).toBe(200)
  expect((await change()).text).toBe(done.text)
})

async function openShops(): Promise<{ shops: TestStore[]; customerId: string }> {
  const store = await system.createStore()
  const { body } = await store.post<{ id: string }>('/customers', { name: 'Holder of tokens' })
  const shops = [0, 1].map((index) => store.through(system.openGateway(index, { checked: false })))
  return { shops, customerId: body.id }
}

/** Makes all writes, 12 at a time; every now and then kills a process and starts it again. */
async function writeAll(
  shops: readonly TestStore[],
  writes: readonly KeyedWrite[],
  { keyed, kills, random }: { keyed: boolean; kills: number; random: SeededRandom },
) {
  const texts = new Map<string, string>()
  const waiting = [...writes]
  const killable = [system.customers, ...system.gateways]
  const share = Math.floor(writes.length / (kills + 1))
  const killAfter = Array.from({ length: kills }, (_, index) => share * index + random.below(share))
  let attempts = 0
  let killed = 0
  let isKilling: Promise<void> | undefined

  async function killOne(): Promise<void> {
    killed += 1
    const process = random.pick(killable)
    await process.kill('SIGKILL')
    await process.restart()
    isKilling = undefined
  }

  async function work(): Promise<void> {
    for (let write = waiting.shift(); write; write = waiting.shift()) {
      const done = await writeUntilAnswered(shops, write, { keyed })
      texts.set(write.key, done.answer.text)
      attempts += done.attempts
      // The kills are spread over all writes, however slow a restart is.
      if (isKilling && texts.size > (killAfter[killed] ?? writes.length) - 12) await isKilling
      if (!isKilling && killed < kills && texts.size >= (killAfter[killed] ?? 0)) isKilling = killOne()
    }
  }

  await Promise.all(Array.from({ length: 12 }, work))
  await isKilling
  return { texts, attempts, kills: killed }
}

async function countByName(names: readonly string[]): Promise<Map<string, number>> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; count: number }>(
      'select name, count(*)::int as count from customers.customer where name = any($1) group by name',
      [names],
    )
    return new Map(rows.map(({ name, count }) => [name, count]))
  })
}

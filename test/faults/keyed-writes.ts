import { onServer, type SeededRandom, type System, type TestStore } from '@storekeep/test/kit'
import { type KeyedWrite, writeUntilSuccessful } from './retrying-writer.ts'

/** A store as seen through each gateway of the system, and a customer who gets tokens. */
export async function openStores(system: System): Promise<{ stores: TestStore[]; customerId: string }> {
  const store = await system.createStore()
  const { body } = await store.post<{ id: string }>('/customers', { name: 'Holder of tokens' })
  const stores = system.gateways.map((_, index) => store.through(system.openGateway(index, { checked: false })))
  return { stores, customerId: body.id }
}

/**
 * Sends all writes, 12 at a time, each until it succeeds. Meanwhile kills and restarts the customers service or a gateway
 * `kills` times, spread over all writes.
 */
export async function writeAll(
  system: System,
  stores: readonly TestStore[],
  writes: readonly KeyedWrite[],
  { keyed, kills, random }: { keyed: boolean; kills: number; random: SeededRandom },
): Promise<WriteResult> {
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
      const done = await writeUntilSuccessful(stores, write, { keyed })
      texts.set(write.key, done.response.text)
      attempts += done.attempts
      // However slow a restart is, the next kill waits for its share of the writes.
      if (isKilling && texts.size > (killAfter[killed] ?? writes.length) - 12) await isKilling
      if (!isKilling && killed < kills && texts.size >= (killAfter[killed] ?? 0)) isKilling = killOne()
    }
  }

  await Promise.all(Array.from({ length: 12 }, work))
  await isKilling
  return { texts, attempts, kills: killed }
}

export interface WriteResult {
  /** The body of the response to each write, by its key. */
  texts: ReadonlyMap<string, string>
  attempts: number
  kills: number
}

/** How many customers have each name. */
export async function countByName(system: System, names: readonly string[]): Promise<Map<string, number>> {
  return await onServer(system.address.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; count: number }>(
      'select name, count(*)::int as count from customers.customer where name = any($1) group by name',
      [names],
    )
    return new Map(rows.map(({ name, count }) => [name, count]))
  })
}

import { setTimeout as pause } from 'node:timers/promises'
import { deleteStream, report, type System, scaled, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import {
  createFivemScript,
  createGmodAddon,
  createJavaLibrary,
  createJournal,
  createRustPlugin,
  createSender,
  type Journal,
  type Plugin,
  type Send,
} from '@storekeep/test/kit/plugins'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Balance, balanced, readBalance } from './delivery-balance.ts'
import { openSales, type Sales } from './delivery-sales.ts'

const leaseMs = 5000
let system: System
let database: pg.Client
const ends: (() => unknown)[] = []
beforeAll(async () => {
  const quiet = { LOG_LEVEL: 'warn', SWEEP_INTERVAL_MS: '200' }
  system = await startSystem({
    only: ['stores', 'customers', 'bans', 'coupons', 'checkout', 'orders', 'delivery'],
    own: ['postgres', 'nats'],
    gateways: [
      {
        RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
        RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE: '100000000',
        LOG_LEVEL: 'warn',
      },
    ],
    settings: {
      checkout: quiet,
      orders: quiet,
      delivery: { ...quiet, COMMAND_LEASE_SECONDS: String(leaseMs / 1000) },
    },
  })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => system?.stop())

const creators = [createJavaLibrary, createFivemScript, createRustPlugin, createGmodAddon]

/** The production guarantee. */
it('delivers every paid unit once and takes every refunded unit back while processes and servers are killed', async () => {
  const random = seededRandom()
  const sales = await open(creators.length, random)
  const journal = createJournal()
  for (const [index, create] of creators.entries()) startPlugin(create, sales, index, { journal })
  const victims: Record<string, () => Promise<void>> = {
    postgres: async () => {
      await system.infra.server('postgres').kill('SIGKILL')
      await system.infra.server('postgres').restart()
    },
    nats: async () => {
      await system.infra.server('nats').kill('SIGKILL')
      await system.infra.server('nats').restart()
    },
    delivery: async () => {
      await system.delivery.kill('SIGKILL')
      await system.delivery.restart()
    },
    gateway: async () => {
      await system.gateways[0]?.kill('SIGKILL')
      await system.gateways[0]?.restart()
    },
  }
  const isOver = { now: false }
  const selling = sales.sell(scaled(1000)).finally(() => {
    isOver.now = true
  })
  // A rejection is reported below.
  selling.catch(() => undefined)
  const kills: Record<string, number> = {}
  const names = Object.keys(victims)
  for (let round = 0; round < names.length || !isOver.now; round += 1) {
    const name = round < names.length ? (names[round] ?? '') : random.pick(names)
    const before = { sold: sales.sold.size, executed: journal.executions().length }
    await waitFor('sales and deliveries', () => {
      const hasSold = sales.sold.size > before.sold + 4 || isOver.now
      return hasSold && (journal.executions().length > before.executed + 4 || isOver.now)
    })
    await victims[name]?.()
    kills[name] = (kills[name] ?? 0) + 1
  }
  await selling
  const balance = await settled(sales, journal)
  const repeated = journal.executions().length - new Set(journal.executions().map(({ id }) => id)).size
  report('delivery', {
    ...{ seed: random.seed, orders: sales.sold.size, ...kills, ...sales.counts, ...balance },
    'given out within the lease': journal.givenOutWithinLease(leaseMs).length,
    'executed again before an acknowledgement succeeded': repeated,
  })
  expect(balance).toMatchObject({
    ...balanced,
    items: balance['units paid'],
    'items revoked': balance['units refunded'],
  })
  expect(journal.givenOutWithinLease(leaseMs)).toEqual([])
  expect(balance['units refunded']).toBeGreaterThan(0)
})

it('gives out no command twice within its lease to 64 parallel polls with one token', async () => {
  const sales = await open(1)
  const journal = createJournal()
  const plugin = createJavaLibrary({ ...optionsOf(sales, 0), journal, send: withAcknowledgements('lost') })
  await sales.sell(10)
  await waitFor('the commands', async () => {
    await pollTogether(plugin)
    return journal.executions().length >= 20
  })
  const executed = journal.executions().length
  await pollTogether(plugin)
  report('delivery, 64 parallel polls', { executed, twice: journal.givenOutWithinLease(leaseMs).length })
  expect(journal.givenOutWithinLease(leaseMs)).toEqual([])
})

it('negative control: without the lease, parallel polls give out a command several times', async () => {
  const sales = await open(1)
  await neglect(sales, 'delivery.command_attempt', 'new.available_at := new.due_at; new.leased_until := new.due_at')
  await neglect(sales, 'delivery.command_queue', 'new.next_due_at := now()')
  const journal = createJournal()
  const plugin = createJavaLibrary({ ...optionsOf(sales, 0), journal, send: withAcknowledgements('lost') })
  await sales.sell(10)
  await waitFor('a command to be given out twice', async () => {
    await pollTogether(plugin)
    return journal.givenOutWithinLease(leaseMs).length > 0
  })
  report('delivery, without the lease', { twice: journal.givenOutWithinLease(leaseMs).length })
})

it('negative control: without the outbox, a paid order is lost', async () => {
  const sales = await open(1)
  // As if the order were published after its commit, and the process killed in between.
  await neglect(sales, 'orders.outbox', 'return null')
  await sales.sell(5)
  const other = await open(1)
  await other.sell(1)
  await waitFor('later orders to be delivered', async () => (await balanceOf(other)).items > 0)
  const balance = await balanceOf(sales)
  report('delivery, without the outbox', { ...balance })
  expect(balance['units without item']).toBeGreaterThan(0)
})

it('negative control: without the unique constraint, an event that is applied again delivers a unit twice', async () => {
  const sales = await open(1)
  await neglect(
    sales,
    'delivery.delivery_item',
    `if tg_op = 'INSERT' and exists (
        select from delivery.delivery_item where store_id = new.store_id and order_id = new.order_id
          and order_line = new.order_line and quantity_index = new.quantity_index
      ) then new.quantity_index := new.quantity_index + 1000;
    end if`,
  )
  await sales.sell(5)
  await waitFor('the items', async () => (await balanceOf(sales))['units without item'] === 0)
  // The consumer forgets what it has applied, and the stream is lost, so the relay publishes everything again.
  await database.query('delete from delivery.consumed_event')
  await deleteStream(system.infra.natsUrl, system.stream)
  await waitFor('a unit to be delivered twice', async () => (await balanceOf(sales))['surplus items'] > 0)
  report('delivery, without the unique constraint', { ...(await balanceOf(sales)) })
})

async function open(servers: number, random = seededRandom()): Promise<Sales> {
  const sales = await openSales(system, servers, random)
  ends.push(sales.close)
  database = new pg.Client({ connectionString: system.address.adminUrl })
  database.on('error', () => undefined)
  await database.connect()
  const opened = database
  ends.push(() => opened.end())
  return sales
}

function optionsOf({ servers }: Sales, index: number) {
  return { baseUrl: system.gateways[0]?.url ?? '', token: servers[index]?.token ?? '' }
}

function startPlugin(
  create: (typeof creators)[number],
  sales: Sales,
  index: number,
  { journal }: { journal: Journal },
): void {
  const plugin = create({ ...optionsOf(sales, index), journal, pollEveryMs: 300 })
  plugin.start()
  ends.push(() => plugin.stop())
}

/** A connection that loses the acknowledgements. */
function withAcknowledgements(_: 'lost'): Send {
  const send = createSender(system.gateways[0]?.url ?? '')
  return async (request) => {
    if (request.method === 'DELETE') return { status: 503, text: '' }
    return await send(request)
  }
}

async function pollTogether(plugin: Plugin): Promise<void> {
  await Promise.all(Array.from({ length: 64 }, () => plugin.poll()))
}

async function balanceOf(sales: Sales): Promise<Balance> {
  return await readBalance(database, sales, createJournal())
}

/** Reads the balance when nothing is on its way, or as it is after three minutes, so that the assertions show what is wrong. */
async function settled(sales: Sales, journal: Journal): Promise<Balance> {
  const reconnected = new pg.Client({ connectionString: system.address.adminUrl })
  await reconnected.connect()
  ends.push(() => reconnected.end())
  for (const deadline = performance.now() + 180_000; ; await pause(200)) {
    const balance = await readBalance(reconnected, sales, journal)
    const isSettled = balance.pending === 0 && balance['units without item'] === 0
    if (isSettled && balance['items revoked'] === balance['units refunded']) return balance
    if (performance.now() > deadline) return balance
  }
}

/** Removes a protection in the database, for one store. */
async function neglect({ storeId }: Sales, table: string, statement: string): Promise<void> {
  const [schema, name] = table.split('.')
  const trigger = `neglect_${name}_${storeId}`
  await database.query(`
    create function ${schema}.${trigger}() returns trigger language plpgsql as $$
      begin ${statement}; return new; end $$;
    create trigger ${trigger} before insert or update on ${table} for each row when (new.store_id = ${storeId})
      execute function ${schema}.${trigger}()`)
}

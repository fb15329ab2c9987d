import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@storekeep/common/grpc'
import { createTestTransport, operator } from '@storekeep/common/testing'
import { forEachService } from '@storekeep/local/services'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService, TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import {
  type Delivery,
  fresh,
  onServer,
  openDelivery,
  startSystem,
  type TestGameServer,
  waitFor,
} from '@storekeep/test/kit'
import { cpuTimeOf, cpuTimeOfTree, ownServers } from './cpu-time.ts'
import { fillCustomers } from './fill-customers.ts'
import { startFloor } from './floor.ts'
import type { LoadRequest } from './http-load.ts'
import { type Measured, measure, type Side, warmUp } from './measure.ts'
import { print } from './print.ts'
import { median, quantiles } from './quantiles.ts'
import { createCoupons } from './request-kinds.ts'
import { startTlsTerminator } from './tls-terminator.ts'

/**
 * Measures what game servers cost and how soon they get what was paid:
 * - the CPU time of a poll when nothing is due, compared with reading a customer (W1) and with the minimal server that reads one
 *   (the floor), over persistent connections and over a new connection per poll, with and without TLS; with twenty players unless
 *   stated otherwise;
 * - the time from a payment to the response with its command, for servers that wait;
 * - polls that find commands while a million commands wait for other servers, compared with an empty table.
 *
 * Fails if a poll costs more CPU than W1, if a purchase in a hundred arrives later than a second after it was paid, or if the
 * million commands make a poll more than 1.3 times as expensive.
 */
const rounds = Number(process.env.ROUNDS ?? 4)
const perRound = Number(process.env.REQUESTS ?? 6000)
const warmth = { seconds: Number(process.env.WARM_UP_SECONDS ?? 8), batch: 1500 }
const perSecond = Number(process.env.PER_SECOND ?? 100)
const seconds = Number(process.env.SECONDS ?? 20)
const pendingOfOthers = Number(process.env.PENDING ?? 1_000_000)
const serverCount = 10
const connections = 32

/** Twenty players, as a plugin reports them. */
const onlinePlayers = JSON.stringify({
  steam_ids: Array.from({ length: 20 }, () => fresh.steamId()),
  customer_names: Array.from({ length: 20 }, () => fresh.name()),
})

const servers = ownServers()
const common = { LOG_LEVEL: 'info' }
const ample = '100000000'
const system = await startSystem({
  schemas: ['floor'],
  settings: {
    ...forEachService(() => common),
    gateway: { ...common, RATE_LIMIT_API_KEY_PER_MINUTE: ample, RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE: ample },
  },
})
const gatewayUrl = system.gateways[0]?.url ?? ''
try {
  const http = system.openGateway(0, { checked: false, maxSockets: 256 })
  const delivery = await openDelivery((await system.createStore()).through(http), system.shopper)
  const gameServers: TestGameServer[] = []
  for (let index = 0; index < serverCount; index += 1) gameServers.push(await delivery.gameServer())
  await measurePolls(delivery, gameServers)
  await measureLatency(delivery, gameServers)
  await measureGrowth(delivery, gameServers)
} finally {
  await system.stop()
}

async function measurePolls({ store }: Delivery, gameServers: readonly TestGameServer[]): Promise<void> {
  await fillCustomers(system.databaseUrlOf('customers'), store.id, 10_000)
  const floor = await startFloor(system, store.id, await createCoupons(store))
  const terminator = await startTlsTerminator(gatewayUrl, system.address.logDirectory)
  try {
    const ids = await onServer(system.databaseUrlOf('customers'), async (client) => {
      const { rows } = await client.query<{ id: string }>('select id from customer where store_id = $1', [store.id])
      return rows.map(({ id }) => id)
    })
    const customer = (index: number): LoadRequest => ({
      method: 'GET',
      path: `/v1/stores/${store.id}/customers/${ids[(index * 7919) % ids.length]}`,
      headers: { authorization: `APIKey ${store.apiKey}` },
    })
    const pollAll = (index: number): LoadRequest => ({
      method: 'GET',
      path: '/v1/delivery/command-queue',
      headers: { authorization: `Gameserver ${gameServers[index % gameServers.length]?.token}` },
    })
    const pollWith = (body: string) => (index: number) => {
      const { headers, ...all } = pollAll(index)
      return { ...all, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    }
    const poll = pollWith(onlinePlayers)
    const pids = { gateway: system.gateways[0]?.pid ?? 0, ...forEachService((name) => system[name].pid) }
    const product: Side = { url: gatewayUrl, pids }
    const kinds: Record<string, Kind> = {
      floor: { side: { url: floor.url, pids: { floor: floor.pid } }, make: customer },
      'W1 customer by id': { side: product, make: customer },
      'empty poll': { side: product, make: poll },
      'empty poll without players': { side: product, make: pollWith('{}') },
      'empty poll with GET': { side: product, make: pollAll },
      'W1, a connection each': { side: product, make: customer, reconnects: true },
      'empty poll, a connection each': { side: product, make: poll, reconnects: true },
      'empty poll, TLS, a connection each': {
        side: { url: terminator.url, pids: { ...pids, terminator: terminator.pid } },
        make: poll,
        reconnects: true,
      },
    }
    const results = new Map<string, Measured[]>()
    for (const { side, make } of Object.values(kinds)) await warmUp(side, make, { servers, ...warmth })
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { side, make, reconnects = false }] of Object.entries(kinds)) {
        const count = reconnects ? Math.ceil(perRound / 3) : perRound
        const measured = await measure(side, make, { count, connections, reconnects, servers })
        results.set(name, [...(results.get(name) ?? []), measured])
      }
    }
    const cpuOf = (name: string) => median((results.get(name) ?? []).map(({ cpuMs }) => cpuMs))
    print(`${rounds} rounds of ${perRound} requests, ${connections} connections, Node ${process.version}`)
    for (const name of Object.keys(kinds)) {
      const all = results.get(name) ?? []
      const of = (pick: (one: Measured) => number) => median(all.map(pick))
      const parts = [...(all[0]?.parts.keys() ?? [])].flatMap((part) => {
        const ms = of((one) => one.parts.get(part) ?? 0)
        return ms < 0.001 ? [] : [`${part} ${ms.toFixed(3)}`]
      })
      const ratio = `${(cpuOf(name) / cpuOf('floor')).toFixed(2)} × floor`
      const latency = `p50 ${of((one) => one.p50).toFixed(1)} ms, p99 ${of((one) => one.p99).toFixed(1)} ms`
      print(`${name}: ${ratio}, ${cpuOf(name).toFixed(3)} ms CPU (${parts.join(', ')}), ${latency}`)
    }
    judge('CPU of an empty poll, compared with W1', cpuOf('empty poll') / cpuOf('W1 customer by id'), 1)
  } finally {
    await terminator.stop()
    await floor.stop()
  }
}

interface Kind {
  side: Side
  make: (index: number) => LoadRequest
  reconnects?: boolean
}

/** Pays orders at a constant rate. The sessions and their payments are prepared, so that the rate is of payments alone. */
async function measureLatency(delivery: Delivery, gameServers: readonly TestGameServer[]): Promise<void> {
  const { store, shop } = delivery
  const transport = createTestTransport('orders', system.orders.address)
  const payments = createClient(PaymentsService, transport)
  const options = { ...operator({ actor: { type: ActorType.ANONYMOUS } }), storeId: store.id }
  const productIds = await Promise.all(gameServers.map(async ({ id }) => (await createProduct(delivery, id)).id))
  const { id: customer_id } = await shop.customer({ steam_id: fresh.steamId() })

  async function prepare(index: number): Promise<string> {
    const lines = [{ product_id: productIds[index % productIds.length], quantity: 1 }]
    const { body } = await shop.order({ customer_id, lines })
    const token = new URL(body.url).searchParams.get('t') ?? ''
    const addresses = { successUrl: 'https://shop.example.com/paid', cancelUrl: 'https://shop.example.com/cart' }
    const { payment } = await payments.startPayment({ token, provider: PaymentProvider.TEST, ...addresses }, options)
    return payment?.id ?? ''
  }

  /** When the response with the command of each order arrived. */
  const arrivedAt = new Map<string, number>()
  let isOver = false
  const waiting = gameServers.map(async (server) => {
    while (!isOver) {
      const commands = await server.poll({}, { prefer: 'wait=10' })
      for (const { command } of commands) arrivedAt.set(command.split(' ')[1] ?? '', performance.now())
      if (commands.length > 0) await server.acknowledge(commands)
    }
  })

  const count = perSecond * seconds
  const prepared: string[] = []
  const preparing = async () => {
    while (prepared.length < count) prepared.push(await prepare(prepared.length))
  }
  await Promise.all(Array.from({ length: 8 }, preparing))
  const paid: { orderId: string; sentAt: number; respondedAt: number }[] = []
  const paying: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (const [index, paymentId] of prepared.slice(0, count).entries()) {
    const waitMs = startedAt + (index * 1000) / perSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    const sentAt = performance.now()
    const pay = payments.actOnTestPayment({ paymentId, action: TestPaymentAction.APPROVE }, options)
    paying.push(
      pay.then(({ payment }) => paid.push({ orderId: payment?.orderId ?? '', sentAt, respondedAt: performance.now() })),
    )
  }
  await Promise.all(paying)
  const achieved = (count * 1000) / (performance.now() - startedAt)
  await waitFor('all commands to be given out', () => arrivedAt.size >= count, { timeoutMs: 120_000 })
  isOver = true
  await Promise.all(waiting)
  transport.close()
  const since = (from: 'sentAt' | 'respondedAt') =>
    paid.map((one) => (arrivedAt.get(one.orderId) ?? Number.NaN) - one[from])
  print(`${count} payments at ${achieved.toFixed(0)}/s, ${gameServers.length} servers that wait`)
  print(`  command received after the payment was confirmed  ${quantiles(since('respondedAt'))}`)
  print(`  command received after the confirmation was sent  ${quantiles(since('sentAt'))}`)
  const late = since('respondedAt').filter((ms) => !(ms <= 1000)).length
  judge('share of purchases later than a second, in percent', (100 * late) / count, 1)
}

async function createProduct({ shop }: Delivery, gameServerId: string) {
  const commands = [{ stage: 'on_purchase', content: 'give {order.id|none}', online_only: false }]
  return await shop.product({ gameservers: [gameServerId], commands })
}

/** Polls that find 100 commands each, before and while a million commands wait for other servers. */
async function measureGrowth(delivery: Delivery, [server]: readonly TestGameServer[]): Promise<void> {
  const { store, shop } = delivery
  if (!server) throw new Error('there are no servers')
  const { id: product_id } = await createProduct(delivery, server.id)
  const { id: customer_id } = await shop.customer()
  const grants = Array.from({ length: 10 }, () => ({ customer_id, product_id, quantity: 100 }))

  async function drain(): Promise<{ pollMs: number[]; cpuMs: number }> {
    for (let batch = 0; batch < 3; batch += 1) {
      const granted = await store.post('/delivery/items', grants)
      if (granted.status !== 200) throw new Error(granted.text)
    }
    await analyze()
    const pollMs: number[] = []
    const given = { count: 0 }
    const cpu = await cpuWhile(async () => {
      await waitFor('the commands', async () => {
        const begun = performance.now()
        const commands = await server?.poll()
        if (!commands?.length) return given.count >= 3000
        pollMs.push(performance.now() - begun)
        given.count += commands.length
        await server?.acknowledge(commands)
        return given.count >= 3000
      })
    })
    return { pollMs, cpuMs: cpu / pollMs.length }
  }

  const analyze = () =>
    onServer(system.databaseUrlOf('delivery'), async (client) => {
      await client.query('set statement_timeout = 0')
      await client.query('vacuum analyze command_attempt')
      await client.query('vacuum analyze command_queue')
    })

  const runs = async () => [await drain(), await drain(), await drain()]
  await drain()
  const before = await runs()
  await fillQueue(store.id, pendingOfOthers)
  await drain()
  const after = await runs()
  const of = (all: typeof before, pick: (one: (typeof before)[number]) => number) => median(all.map(pick))
  for (const [name, all] of [
    ['with an empty table', before],
    [`with ${pendingOfOthers} commands of other servers`, after],
  ] as const) {
    print(
      `poll of 100 commands ${name}: p50 ${of(all, ({ pollMs }) => median(pollMs)).toFixed(1)} ms, ` +
        `${of(all, ({ cpuMs }) => cpuMs).toFixed(1)} ms CPU of delivery and Postgres with its acknowledgement`,
    )
  }
  const ratio = (pick: (one: (typeof before)[number]) => number) => of(after, pick) / of(before, pick)
  judge(
    'growth of the latency',
    ratio(({ pollMs }) => median(pollMs)),
    1.3,
  )
  judge(
    'growth of the CPU time',
    ratio(({ cpuMs }) => cpuMs),
    1.3,
  )
}

async function cpuWhile(act: () => Promise<void>): Promise<number> {
  const read = () => cpuTimeOf([system.delivery.pid]) + cpuTimeOfTree(servers.postgres ?? 0)
  const before = read()
  await act()
  return read() - before
}

/** Adds pending commands of other servers of the store, by SQL, because that many purchases would take hours. */
async function fillQueue(storeId: string, count: number): Promise<void> {
  await onServer(system.databaseUrlOf('delivery'), async (client) => {
    await client.query('set statement_timeout = 0')
    await client.query(
      `insert into command_attempt (store_id, id, game_server_id, stage, template, command, state, missing_placeholders,
         online_only, required_slots, queued_at, due_at, available_at)
       select $1, n, 1000 + n % 1000, 'on_purchase', 'say hi', 'say hi', 'pending', '{}', n % 2 = 0, 0, now(), now(), now()
       from generate_series(1, $2::int) n`,
      [storeId, count],
    )
    await client.query(
      `insert into command_queue (store_id, game_server_id, next_due_at, next_online_due_at)
       select $1, 1000 + n, now(), now() from generate_series(0, 999) n`,
      [storeId],
    )
  })
}

function judge(what: string, value: number, limit: number): void {
  const isKept = value <= limit
  print(`${what}: ${value.toFixed(2)}, limit ${limit}${isKept ? '' : ' FAILED'}`)
  if (!isKept) process.exitCode = 1
}

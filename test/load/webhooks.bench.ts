import { setTimeout as pause } from 'node:timers/promises'
import { type BanBody, onServer, startSystem, type TestStore, waitFor } from '@storekeep/test/kit'
import { cpuTimeOf } from './cpu-time.ts'
import { print } from './print.ts'
import { quantiles } from './quantiles.ts'
import { startReceiver } from './receiver.ts'
import type { Receipt } from './receiver-server.ts'

/**
 * Measures the delivery of webhooks to a receiver that responds immediately, for one endpoint and for ten endpoints of ten
 * stores: how soon a change is received at a constant rate, and how fast a backlog is delivered. The events are changes of
 * bans, made through the gateway; each ban is changed repeatedly, so its deliveries wait for each other.
 */
const perSecond = Number(process.env.PER_SECOND ?? 200)
const seconds = Number(process.env.SECONDS ?? 20)
const backlog = Number(process.env.BACKLOG ?? 3000)
const bansPerStore = 50
const endpointCounts = [1, 10]
const concurrentWrites = 32
/** Makes every reason unique. */
let changes = 0

const system = await startSystem({
  settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
})
const receiver = await startReceiver(system.address.logDirectory)
try {
  const http = system.openGateway(0, { checked: false })
  const all: Ban[] = []
  for (let n = 0; n < Math.max(...endpointCounts); n += 1) {
    const store = (await system.createStore()).through(http)
    await created(store, '/webhook-endpoints', { url: `${receiver.url}/${n}`, event_types: ['ban.updated'] })
    all.push(...(await createBans(store)))
  }
  print(`${bansPerStore} bans per store, Node ${process.version}`)
  await measure('warm-up', all, () => writeSteadily(all, 5))
  for (const count of endpointCounts) {
    const bans = all.slice(0, count * bansPerStore)
    await measure(`${label(count)}, ${perSecond} events/s`, bans, () => writeSteadily(bans, seconds))
  }
  for (const count of endpointCounts) {
    const bans = all.slice(0, count * bansPerStore)
    await measure(`${label(count)}, backlog of ${backlog}`, bans, () => writeBacklog(bans, backlog))
  }
} finally {
  await receiver.stop()
  await system.stop()
}

/** Prints how the changes that `write` makes are received. The run fails if one is lost or received out of order. */
async function measure(name: string, bans: readonly Ban[], write: () => Promise<Writes>): Promise<void> {
  const before = await cpuTimes()
  const { count, deliveredFrom, respondedAt } = await write()
  const receipts = await receiveAll(bans)
  const after = await cpuTimes()
  const last = receipts.at(-1)?.receivedAt ?? Number.NaN
  const perEvent = (pids: Iterable<number>) => {
    const ms = [...pids].map((pid) => (after.get(pid) ?? 0) - (before.get(pid) ?? 0))
    return (ms.reduce((sum, one) => sum + one, 0) / count).toFixed(2)
  }
  const own = new Set([system.webhooks.pid])
  print(`${name}: ${count} events`)
  if (deliveredFrom !== undefined) {
    const rate = (count * 1000) / (last - deliveredFrom)
    print(`  delivered                          ${rate.toFixed(0)}/s`)
  } else {
    print(
      `  received after its timestamp       ${spread(receipts.map(({ changedAt, receivedAt }) => receivedAt - changedAt))}`,
    )
    const since = receipts.map(({ reason, receivedAt }) => receivedAt - (respondedAt.get(reason) ?? Number.NaN))
    print(`  received after the response        ${spread(since)}`)
  }
  print(
    `  CPU per event                      webhooks ${perEvent(own)} ms, its Postgres connections ${perEvent([...after.keys()].filter((pid) => !own.has(pid)))} ms`,
  )
  const { lost, outOfOrder, repeated } = judge(bans, receipts)
  print(`  lost ${lost}, out of order ${outOfOrder}, repeated ${repeated}`)
  if (lost + outOfOrder > 0) process.exitCode = 1
}

/** Changes bans at a constant rate; changes of the same ban are sequential. */
async function writeSteadily(bans: readonly Ban[], duration: number): Promise<Writes> {
  const respondedAt = new Map<string, number>()
  const started = performance.now()
  for (let n = 0; n < perSecond * duration; n += 1) {
    const waitMs = started + (n * 1000) / perSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    void change(bans[n % bans.length], (reason) => respondedAt.set(reason, Date.now()))
  }
  await Promise.all(bans.map(({ writing }) => writing))
  return { count: perSecond * duration, respondedAt }
}

/** Changes bans while the service is paused, until all events are in the stream. */
async function writeBacklog(bans: readonly Ban[], count: number): Promise<Writes> {
  await system.webhooks.kill('SIGSTOP')
  let n = 0
  const worker = async () => {
    while (n < count) {
      n += 1
      await change(bans[n % bans.length])
    }
  }
  await Promise.all(Array.from({ length: concurrentWrites }, worker))
  await onServer(system.databaseUrlOf('bans'), (client) =>
    waitFor('the events to be published', async () => {
      const { rowCount } = await client.query('select from outbox where published_at is null limit 1')
      return rowCount === 0
    }),
  )
  const deliveredFrom = Date.now()
  await system.webhooks.kill('SIGCONT')
  return { count, deliveredFrom, respondedAt: new Map() }
}

/** Gives a ban a new reason, after its earlier changes. */
async function change(ban: Ban | undefined, onResponse: (reason: string) => void = () => {}): Promise<void> {
  if (!ban) throw new Error('there are no bans')
  const { store, id, reasons } = ban
  ban.writing = ban.writing.then(async () => {
    const reason = `change ${changes}`
    changes += 1
    const { status, text } = await store.patch(`/bans/${id}`, { reason })
    if (status !== 200) throw new Error(`the change of a ban returned ${status}: ${text}`)
    reasons.push(reason)
    onResponse(reason)
  })
  await ban.writing
}

/** Waits until the last change of each ban was received, which follows the others. */
async function receiveAll(bans: readonly Ban[]): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  const isComplete = async () => {
    receipts.push(...(await receiver.takeReceipts()))
    const received = new Set(receipts.map(({ reason }) => reason))
    return bans.every(({ reasons }) => reasons.every((reason) => received.has(reason)))
  }
  await waitFor('all changes to be received', isComplete, { everyMs: 100 }).catch((error: Error) =>
    print(error.message),
  )
  return receipts
}

/** Compares what was received with the changes, and forgets these. */
function judge(bans: readonly Ban[], receipts: readonly Receipt[]) {
  const verdict = { lost: 0, outOfOrder: 0, repeated: 0 }
  const byBan = Map.groupBy(receipts, ({ banId }) => banId)
  for (const ban of bans) {
    const all = (byBan.get(ban.id) ?? []).map(({ reason }) => ban.reasons.indexOf(reason))
    const firsts = [...new Set(all)]
    verdict.lost += ban.reasons.length - firsts.length
    verdict.outOfOrder += firsts.filter((position, index) => position < (firsts[index - 1] ?? 0)).length
    verdict.repeated += all.length - firsts.length
    ban.reasons = []
  }
  return verdict
}

async function createBans(store: TestStore): Promise<Ban[]> {
  const identityOf = (n: number) => ({ ban_type: 'email', ban_type_value: `player${n}@mail.example.org` })
  return await Promise.all(
    Array.from({ length: bansPerStore }, async (_, n) => {
      const { id } = await created<BanBody>(store, '/bans', { reason: 'chargeback', identities: [identityOf(n)] })
      return { store, id, reasons: [], writing: Promise.resolve() }
    }),
  )
}

async function created<Body>(store: TestStore, path: string, fields: object): Promise<Body> {
  const { status, body, text } = await store.post<Body>(path, fields)
  if (status !== 200 && status !== 201) throw new Error(`POST ${path} returned ${status}: ${text}`)
  return body
}

/** CPU times of the webhooks service and its current connections to Postgres. */
async function cpuTimes(): Promise<Map<number, number>> {
  return await onServer(system.databaseUrlOf('webhooks'), async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name like 'webhooks%' and backend_type = 'client backend'",
    )
    return new Map([system.webhooks.pid, ...rows.map(({ pid }) => pid)].map((pid) => [pid, cpuTimeOf([pid])]))
  })
}

function label(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`
}

function spread(times: readonly number[]): string {
  return `${quantiles(times)}, max ${Math.max(...times)} ms`
}

interface Ban {
  store: TestStore
  id: string
  /** Those it was given since the last measurement, in order. */
  reasons: string[]
  /** Settles after the last change. */
  writing: Promise<void>
}

interface Writes {
  count: number
  /** When the delivery of a backlog started, in ms since 1970. */
  deliveredFrom?: number
  /** When the response to the change with a reason arrived. */
  respondedAt: ReadonlyMap<string, number>
}

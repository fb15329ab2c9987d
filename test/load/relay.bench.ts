import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@storekeep/common/log'
import { runMigrations } from '@storekeep/common/postgres'
import { createTestDatabase } from '@storekeep/common/testing/database'
import { onServer, waitFor } from '@storekeep/test/kit'
import { cpuTimeOf, cpuTimeOfTree, ownServers } from './cpu-time.ts'
import { print } from './print.ts'
import type { RelayProcessSettings } from './relay-process.ts'
import { startSlowLink } from './slow-link.ts'

/**
 * Measures how fast the replicas of a service publish a backlog of their outbox, and what limits them: the CPU time per
 * event of the replicas, Postgres and NATS. Alternates between the numbers of replicas. With all of them on one machine,
 * one replica, Postgres and NATS may already fill its cores; ACK_DELAY_MS and CPU_SHARE show how replicas share the work
 * where they are the bottleneck.
 */
const events = Number(process.env.EVENTS ?? 20_000)
const perAggregate = Number(process.env.PER_AGGREGATE ?? 1)
const payloadBytes = Number(process.env.BYTES ?? 600)
const replicaCounts = (process.env.REPLICAS ?? '1,2').split(',').map(Number)
const rounds = Number(process.env.ROUNDS ?? 3)
/** Delays each acknowledgement of NATS, as a distant server or a replicated stream does. */
const ackDelayMs = Number(process.env.ACK_DELAY_MS ?? 0)
/** The share of a core that each replica gets, by suspending it for the rest of the time. */
const cpuShare = Number(process.env.CPU_SHARE ?? 1)

const log = createLogger({ service: 'bench', level: 'silent' })
const { urlOf, name, drop } = await createTestDatabase(['relay'])
const databaseUrl = urlOf('relay')
const directory = fileURLToPath(new URL('../faults/recorder/migrations', import.meta.url))
await runMigrations({ url: databaseUrl, schema: 'relay', directory, cell: 0, nodeNumber: 15, log })
const nats = process.env.TEST_NATS_URL ?? ''
const link = ackDelayMs > 0 ? await startSlowLink(nats, ackDelayMs) : undefined
const settings: RelayProcessSettings = { databaseUrl, natsUrl: link?.url ?? nats, stream: name.toUpperCase() }
const servers = ownServers()
const replicas: Replica[] = []
try {
  while (replicas.length < Math.max(...replicaCounts)) await startReplica()
  print(`${events} events of ${payloadBytes} bytes, ${perAggregate} per aggregate, Node ${process.version}`)
  const rates = new Map<number, number[]>(replicaCounts.map((count) => [count, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const count of replicaCounts) {
      const { rate, shares, cpu } = await drain(replicas.slice(0, count), events)
      rates.get(count)?.push(rate)
      const parts = [...cpu].map(([part, ms]) => `${part} ${((ms * 1000) / events).toFixed(0)}`).join(', ')
      print(`${count} replicas: ${rate.toFixed(0)} events/s (${shares.join(' + ')}); CPU µs per event: ${parts}`)
    }
  }
  const alone = median(rates.get(1) ?? [])
  for (const [count, all] of rates) {
    print(`median with ${count}: ${median(all).toFixed(0)} events/s, ${(median(all) / alone).toFixed(2)} × one replica`)
  }
} finally {
  for (const { process } of replicas) process.kill('SIGKILL')
  link?.close()
  await drop()
}

/** Starts a replica and lets it publish a few events, which also compiles its code. */
async function startReplica(): Promise<void> {
  const file = fileURLToPath(new URL('relay-process.ts', import.meta.url))
  const process = fork(file, [JSON.stringify(settings)], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const replica = { process, pid: process.pid ?? 0 }
  replicas.push(replica)
  await publishedBy(replica)
  await drain([replica], Math.min(events, 5000))
}

/** Writes a backlog and measures until these replicas have published it. The others, which are idle, are suspended. */
async function drain(active: readonly Replica[], count: number): Promise<Drained> {
  const others = replicas.filter((one) => !active.includes(one))
  for (const { process } of others) process.kill('SIGSTOP')
  try {
    return await onServer(databaseUrl, async (client) => {
      await client.query('truncate outbox')
      const before = await Promise.all(active.map(publishedBy))
      const cpuBefore = cpuTimes(active)
      const throttles = cpuShare < 1 ? active.map(throttle) : []
      await client.query(
        `insert into outbox (event_id, store_id, service, aggregate, aggregate_id, aggregate_version, verb, type, payload)
         select gen_random_uuid(), 7, 'things', 'thing', (n / $2)::text, n, 'changed', 'storekeep.things.v1.Thing', $3
         from generate_series(1, $1::int) as n`,
        [count, perAggregate, Buffer.alloc(payloadBytes, 'x')],
      )
      // A replica publishes when it writes, and otherwise looks for the events of others every few seconds.
      for (const { process } of active) process.send('write')
      await waitFor('the backlog to be published', isPublished, { timeoutMs: 120_000, everyMs: 50 })
      for (const end of throttles) end()
      const cpu = new Map([...cpuTimes(active)].map(([part, ms]) => [part, ms - (cpuBefore.get(part) ?? 0)]))
      const shares = (await Promise.all(active.map(publishedBy))).map((total, n) => total - (before[n] ?? 0))
      const { rows } = await client.query<{ seconds: number }>(
        'select extract(epoch from max(published_at) - min(published_at))::float8 as seconds from outbox',
      )
      return { rate: count / (rows[0]?.seconds ?? 0), shares, cpu }

      async function isPublished(): Promise<boolean> {
        const { rowCount } = await client.query('select from outbox where published_at is null limit 1')
        return rowCount === 0
      }
    })
  } finally {
    for (const { process } of others) process.kill('SIGCONT')
  }
}

async function publishedBy({ process }: Replica): Promise<number> {
  process.send('published')
  const [count] = (await once(process, 'message')) as [number]
  return count
}

/** @returns a function that ends the throttling */
function throttle({ process }: Replica): () => void {
  const periodMs = 20
  let timer: NodeJS.Timeout
  function run(): void {
    process.kill('SIGCONT')
    timer = setTimeout(rest, periodMs * cpuShare)
  }
  function rest(): void {
    process.kill('SIGSTOP')
    timer = setTimeout(run, periodMs * (1 - cpuShare))
  }
  run()
  return () => {
    clearTimeout(timer)
    process.kill('SIGCONT')
  }
}

function cpuTimes(active: readonly Replica[]): Map<string, number> {
  const times = new Map([['replicas', cpuTimeOf(active.map(({ pid }) => pid))]])
  for (const [part, pid] of Object.entries(servers)) times.set(part, cpuTimeOfTree(pid))
  return times
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

interface Replica {
  process: ChildProcess
  pid: number
}

interface Drained {
  rate: number
  /** The number of events that each replica has published. */
  shares: number[]
  /** CPU time in ms by part. */
  cpu: Map<string, number>
}

import { createHttpClient, onServer, report, type ServiceProcess, seededRandom, waitFor } from '@storekeep/test/kit'
import {
  asGrpcJsDoes,
  type Cluster,
  countCalls,
  countEffects,
  judge,
  type OpenLoop,
  openStoreTraffic,
  type ReplicaSet,
  type RequestKind,
  startCluster,
  startOpenLoop,
  unlimited,
  type Verdict,
} from '@storekeep/test/kit/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let cluster: Cluster
let kinds: RequestKind[]
beforeAll(async () => {
  // Generous for a busy machine: the test looks for lost requests, not slow ones.
  const patient = { REQUEST_TIMEOUT_MS: '10000' }
  cluster = await startCluster({ settings: { gateway: { ...unlimited, ...patient } } })
  kinds = await openStoreTraffic(cluster)
})
afterAll(() => cluster?.stop())

/** Goals 7 and 17, with two replicas of every process. `npm run bench -- rolling-restart` does more. */
describe('requests at a fixed rate', () => {
  it('all succeed while every process is replaced in turn', async () => {
    const verdict = await underLoad('rolling restart', async (load) => {
      for (const set of cluster.all) {
        load.enter(set.name)
        await set.replaceEach()
      }
      await load.more(40)
    })
    expect([...verdict.failedReads, ...verdict.failedWrites]).toEqual([])
    expect([...verdict.twice, ...verdict.lost]).toEqual([])
  })

  it('fail no read and write nothing twice when one process of each kind is killed', async () => {
    // Load balancers send an interrupted GET to another gateway.
    cluster.balancer.next = true
    const verdict = await underLoad('kill -9', async (load) => {
      for (const set of cluster.all) {
        load.enter(set.name)
        const [replica] = set.replicas
        if (replica) await set.crash(replica)
      }
      await load.more(40)
    })
    cluster.balancer.next = false
    expectNothingLost(verdict)
  })

  it('fail no read and write nothing twice when a process is paused', async () => {
    // 6 s is longer than any timeout of this gateway, so a request that waits for the paused process fails.
    const gateway = await cluster.gateways.add({ REQUEST_TIMEOUT_MS: '4000' })
    const [paused] = cluster.services.customers.replicas
    const pauseReplica = async (load: OpenLoop) => {
      await paused?.kill('SIGSTOP')
      await load.more(6 * perSecond)
      await paused?.kill('SIGCONT')
      await load.more(20)
    }
    const verdict = await underLoad('paused', pauseReplica, gateway.url)
    await cluster.gateways.end(gateway)
    expectNothingLost(verdict)
  })

  it('are not multiplied by retries while a service has no database, and succeed again afterwards', async () => {
    // Negative control: a gateway without a retry budget.
    const spendthrift = await addGateway('no-retry-budget')
    const healthy = await callsPerRequest(100)
    await setLogin(false)
    const during = await callsPerRequest(500)
    const unlimitedRetries = await callsPerRequest(50, spendthrift.url)
    await setLogin(true)
    const load = start([kindOf('customer by id')])
    await waitFor('50 successful requests', () => lastSucceeded(load, 50), { timeoutMs: 10_000 })
    await load.stop()
    await cluster.gateways.end(spendthrift)
    report('outage', {
      'calls per request before': healthy.toFixed(2),
      'and during it': during.toFixed(2),
      'without the retry budget': unlimitedRetries.toFixed(2),
    })
    expect(during / healthy).toBeLessThan(1.2)
    expect(unlimitedRetries / healthy).toBeGreaterThan(1.2)
  })
})

/** Negative control: a caller that resolves names as rarely as grpc-js does by default. */
it('fails requests when callers do not discover new replicas before the old ones are gone', async () => {
  const gateway = await addGateway('slow-names')
  const load = start([kindOf('customer by id')], gateway.url)
  const isFailing = () => load.failures > 0
  for (let round = 0; round < 4 && !isFailing(); round += 1) {
    await load.more(20)
    await cluster.services.customers.replaceEach()
    await load.more(20)
  }
  await load.stop()
  await cluster.gateways.end(gateway)
  report('replaced behind a slow caller', { seed: load.seed, failed: load.failures })
  expect(isFailing()).toBe(true)
})

/** Negative control: processes that exit immediately lose the requests in flight. */
it('fails requests when gateways exit without finishing them', async () => {
  let failed = 0
  const verdicts: Verdict[] = []
  while (failed === 0 && verdicts.length < 5) {
    const verdict = await underLoad('replaced with SIGKILL', async (load) => {
      await cluster.gateways.replaceEach('SIGKILL')
      await load.more(20)
    })
    verdicts.push(verdict)
    failed += verdict.failedReads.length + verdict.failedWrites.length
  }
  expect(failed).toBeGreaterThan(0)
})

/**
 * Goal 24. The limits apply to how callers find new replicas, not to the speed of the machine: streams end after about 6 s
 * and connections after about 30 s, and callers resolve the name of a service when a connection ends.
 */
it('reach new replicas within 45 s after a scale-up from two to four, in fair shares', async () => {
  const { customers } = cluster.services
  const load = start([kindOf('customer by id')])
  // Negative control: a gateway that uses only one address of a service.
  const single = await addGateway('pick-first')
  await callsPerRequest(20, single.url)
  await Promise.all([customers.add(), customers.add()])
  const { afterMs, shares } = await watchShares(customers)
  await load.stop()
  const before = await countCalls(customers)
  await callsPerRequest(200, single.url)
  const ofSingle = sharesBetween(before, await countCalls(customers))
  await cluster.gateways.end(single)
  report('scale-up', {
    seed: load.seed,
    'fair shares after seconds': (afterMs / 1000).toFixed(0),
    shares: shares.map((share) => share.toFixed(2)).join(' '),
    'shares of a caller with one address': ofSingle.map((share) => share.toFixed(2)).join(' '),
  })
  expect(areFair(shares)).toBe(true)
  expect(afterMs).toBeLessThan(45_000)
  expect(areFair(ofSingle)).toBe(false)
})

/**
 * Waits for the first 15 s in which every replica serves a fair share of the calls. Shorter periods say little, because
 * each gateway has only four streams to a service.
 */
async function watchShares(replicas: ReplicaSet): Promise<{ afterMs: number; shares: number[] }> {
  const startedAt = performance.now()
  const samples = [{ ms: 0, counts: await countCalls(replicas) }]
  const look = async () => {
    const counts = await countCalls(replicas)
    const ms = performance.now() - startedAt
    samples.push({ ms, counts })
    const first = samples.findLast((sample) => sample.ms <= ms - 15_000)
    const shares = first && sharesBetween(first.counts, counts)
    return shares && (areFair(shares) || first.ms > 45_000) && { afterMs: first.ms, shares }
  }
  return await waitFor('the calls to be distributed', look, { timeoutMs: 120_000, everyMs: 1_000 })
}

/** How many calls each replica served between two counts, relative to the average. */
function sharesBetween(before: readonly number[], after: readonly number[]): number[] {
  const served = after.map((count, index) => count - (before[index] ?? 0))
  const average = served.reduce((sum, one) => sum + one, 0) / served.length
  return served.map((one) => one / average)
}

/** The two newest replicas serve at least 80 % of their share, and no replica serves more than 1.3 times its share. */
function areFair(shares: readonly number[]): boolean {
  return Math.min(...shares.slice(-2)) >= 0.8 && Math.max(...shares) <= 1.3
}

/** Adds a gateway without one protection, to which the load balancer sends nothing. */
async function addGateway(control: Parameters<typeof asGrpcJsDoes>[0]): Promise<ServiceProcess> {
  const gateway = await cluster.gateways.add(asGrpcJsDoes(control))
  cluster.balancer.remove(gateway.url)
  return gateway
}

function start(chosen: readonly RequestKind[] = kinds, url = cluster.balancer.url): OpenLoop {
  return startOpenLoop({ url, perSecond, kinds: chosen, random: seededRandom() })
}

/** Low enough to leave the processes time to start. */
const perSecond = 20

async function underLoad(name: string, act: (load: OpenLoop) => Promise<void>, url?: string): Promise<Verdict> {
  const load = start(kinds, url)
  await load.more(20)
  await act(load)
  await load.stop()
  const verdict = judge(load.outcomes, await countEffects(cluster))
  const { requests, writes, failedReads, failedWrites, twice, lost } = verdict
  report(name, {
    seed: load.seed,
    requests,
    writes,
    'failed reads': failedReads.length,
    'failed writes': failedWrites.length,
    twice: twice.length,
    lost: lost.length,
  })
  return verdict
}

function expectNothingLost({ failedReads, unfinished, twice, lost }: Verdict): void {
  expect(failedReads).toEqual([])
  expect([...unfinished, ...twice, ...lost]).toEqual([])
}

/** The number of calls to the customers service per request, with eight concurrent requests. */
async function callsPerRequest(requests: number, url = cluster.balancer.url): Promise<number> {
  const sum = async () => (await countCalls(cluster.services.customers)).reduce((all, one) => all + one, 0)
  const before = await sum()
  const http = createHttpClient(url)
  const { method, path, headers } = kindOf('customer by id').make('')
  let sent = 0
  const lane = async () => {
    while (sent < requests) {
      sent += 1
      await http.request(method, path, { headers })
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  http.close()
  return ((await sum()) - before) / requests
}

function kindOf(name: string): RequestKind {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error(`There is no request ${name}.`)
  return kind
}

/** Without its database the replicas of a service run but can do nothing. */
async function setLogin(isAllowed: boolean): Promise<void> {
  const role = new URL(cluster.databaseUrlOf('customers')).username
  await onServer(cluster.address.adminUrl, async (client) => {
    await client.query(`alter role ${client.escapeIdentifier(role)} ${isAllowed ? 'login' : 'nologin'}`)
    if (!isAllowed)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
  })
}

function lastSucceeded({ outcomes }: OpenLoop, count: number): boolean {
  const last = outcomes.filter(({ ms }) => ms > 0).slice(-count)
  return last.length === count && last.every(({ failures }) => failures.length === 0)
}

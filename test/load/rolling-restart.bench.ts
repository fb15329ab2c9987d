import { seededRandom } from '@storekeep/test/kit'
import {
  countEffects,
  judge,
  type OpenLoop,
  type Outcome,
  openStoreTraffic,
  startCluster,
  startOpenLoop,
  unlimited,
} from '@storekeep/test/kit/cluster'
import { print } from './print.ts'
import { quantiles } from './quantiles.ts'

/**
 * Counts failed requests with two replicas of every process: while all are replaced repeatedly and Redis and NATS are
 * restarted, then while each replica is killed, then while one is paused. Takes some minutes.
 */
const perSecond = Number(process.env.PER_SECOND ?? 100)
const requestCount = Number(process.env.REQUESTS ?? 20_000)
const pauseSeconds = 8

const cluster = await startCluster({ own: ['redis', 'nats'], settings: { gateway: unlimited } })
try {
  const kinds = await openStoreTraffic(cluster)
  await measure('SIGTERM', async (load) => {
    load.enter('before')
    await load.more(perSecond * 10)
    while (load.sent < requestCount) {
      for (const set of cluster.all) {
        load.enter(`${set.name} replaced`)
        await set.replaceEach()
      }
      for (const kind of ['redis', 'nats'] as const) {
        load.enter(`${kind} restarted`)
        await cluster.infra.server(kind).restart()
        await load.more(perSecond)
      }
    }
  })
  cluster.balancer.next = true
  await measure('SIGKILL', async (load) => {
    for (const set of cluster.all) {
      load.enter(`${set.name} killed`)
      for (const replica of [...set.replicas]) {
        await set.crash(replica)
        // One at a time: callers must discover the restarted replica before the other one is killed.
        await load.more(perSecond * 3)
      }
    }
  })
  await measure('SIGSTOP', async (load) => {
    load.enter('before')
    await load.more(perSecond * 5)
    for (const { replicas, name } of [cluster.services.customers, cluster.services.checkout]) {
      load.enter(`${name} paused`)
      await replicas[0]?.kill('SIGSTOP')
      await load.more(perSecond * pauseSeconds)
      await replicas[0]?.kill('SIGCONT')
      load.enter(`${name} resumed`)
      await load.more(perSecond * 3)
    }
  })

  async function measure(name: string, act: (load: OpenLoop) => Promise<void>): Promise<void> {
    const load = startOpenLoop({ url: cluster.balancer.url, perSecond, kinds, random: seededRandom() })
    await load.more(perSecond * 5)
    await act(load)
    await load.stop()
    const verdict = judge(load.outcomes, await countEffects(cluster))
    print(
      `\n${name}: ${verdict.requests} requests at ${perSecond}/s, ${verdict.writes} of them writes, seed ${load.seed}`,
    )
    print(`  failed: ${verdict.failedReads.length} reads, ${verdict.failedWrites.length} writes`)
    print(
      `  keyed and never successful ${verdict.unfinished.length}, twice ${verdict.twice.length}, lost ${verdict.lost.length}`,
    )
    printGroups(load.outcomes, ({ phase }) => phase)
    printGroups(load.outcomes, ({ kind }) => kind.name)
    for (const line of [...verdict.failedReads, ...verdict.failedWrites].slice(0, 20))
      print(`  ! ${line.slice(0, 200)}`)
  }
} finally {
  await cluster.stop()
}

function printGroups(outcomes: readonly Outcome[], nameOf: (outcome: Outcome) => string): void {
  for (const [name, all] of Map.groupBy(outcomes, nameOf)) {
    const failed = all.filter(({ failures }) => failures.length > 0).length
    print(`  ${name}: ${all.length}, failed ${failed}, ${quantiles(all.map(({ ms }) => ms))}`)
  }
}

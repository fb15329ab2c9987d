import { seededRandom, waitFor } from '@storekeep/test/kit'
import {
  asGrpcJsDoes,
  type Cluster,
  countCalls,
  openStoreTraffic,
  startCluster,
  startOpenLoop,
  unlimited,
} from '@storekeep/test/kit/cluster'
import { print } from './print.ts'

/**
 * Measures how soon callers discover new replicas: customers is scaled from two replicas to four under load, and back. Then
 * the same with gateways that use only one address, which is the default of grpc-js. Takes some minutes.
 */
const perSecond = Number(process.env.PER_SECOND ?? 100)
const windowMs = 5_000
const limitMs = 120_000

await measure('default settings', {})
await measure('gateways that use one address', asGrpcJsDoes('pick-first'))

async function measure(name: string, own: Record<string, string>): Promise<void> {
  const cluster = await startCluster({ settings: { gateway: { ...unlimited, ...own } } })
  try {
    const kinds = await openStoreTraffic(cluster)
    const chosen = kinds.filter((kind) => ['customer by id', 'who am I', 'list customers'].includes(kind.name))
    const load = startOpenLoop({ url: cluster.balancer.url, perSecond, kinds: chosen, random: seededRandom() })
    await load.more(perSecond * 15)
    print(`\n${name}, ${perSecond}/s, seed ${load.seed}`)
    await Promise.all([cluster.services.customers.add(), cluster.services.customers.add()])
    await watchShares(cluster)
    const before = load.failures
    for (const replica of cluster.services.customers.replicas.slice(0, 2)) await cluster.services.customers.end(replica)
    await load.more(perSecond * 5)
    await load.stop()
    print(
      `  ${load.outcomes.length} requests; failed: ${before} while scaling up, ${load.failures - before} while scaling down`,
    )
  } finally {
    await cluster.stop()
  }
}

/** Prints the share of calls of each replica until the new ones have had a fair share for four windows, or time is up. */
async function watchShares({ services }: Cluster): Promise<void> {
  const started = performance.now()
  let counts = await countCalls(services.customers)
  let fairWindows = 0
  while (fairWindows < 4 && performance.now() - started < limitMs) {
    const end = performance.now() + windowMs
    await waitFor('the end of the window', () => performance.now() >= end)
    const now = await countCalls(services.customers)
    const served = now.map((count, index) => count - (counts[index] ?? 0))
    counts = now
    const fair = served.reduce((sum, one) => sum + one, 0) / served.length
    const shares = served.map((one) => one / fair)
    const isFair = Math.min(...shares.slice(2)) >= 0.8
    fairWindows = isFair ? fairWindows + 1 : 0
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const list = shares.map((share) => share.toFixed(2)).join(' ')
    print(`  after ${seconds} s: shares ${list}, largest ${Math.max(...shares).toFixed(2)}`)
  }
}

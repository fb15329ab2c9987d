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
 * Measures how soon callers find new replicas: customers grow from two to four under load, and shrink again. Then the same
 * with gateways that take one address, as grpc-js does by itself. Takes some minutes.
 */
const perSecond = Number(process.env.PER_SECOND ?? 100)
const windowMs = 5_000
const limitMs = 120_000

await measure('as it is', {})
await measure('gateways that pick one address', asGrpcJsDoes('pick-first'))

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
    print(`  ${load.outcomes.length} requests; failed: ${before} until then, ${load.failures - before} of four to two`)
  } finally {
    await cluster.stop()
  }
}

/** Prints who answers how much of what, until the new replicas have had their share for four windows, or never do. */
async function watchShares({ services }: Cluster): Promise<void> {
  const started = performance.now()
  let counts = await countCalls(services.customers)
  let fairWindows = 0
  while (fairWindows < 4 && performance.now() - started < limitMs) {
    const end = performance.now() + windowMs
    await waitFor('the end of the window', () => performance.now() >= end)
    const now = await countCalls(services.customers)
    const answered = now.map((count, index) => count - (counts[index] ?? 0))
    counts = now
    const fair = answered.reduce((sum, one) => sum + one, 0) / answered.length
    const shares = answered.map((one) => one / fair)
    const isFair = Math.min(...shares.slice(2)) >= 0.8
    fairWindows = isFair ? fairWindows + 1 : 0
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const list = shares.map((share) => share.toFixed(2)).join(' ')
    print(`  after ${seconds} s: shares ${list}, largest ${Math.max(...shares).toFixed(2)}`)
  }
}

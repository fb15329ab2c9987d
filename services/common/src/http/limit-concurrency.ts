import type { BlockList } from 'node:net'
import type { Counter } from '../telemetry/index.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { addressGroup, isTrustedProxy, socketAddress } from './peer-address.ts'
import { RateLimited } from './rate-limited.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Creates the check of the concurrent requests of each client behind a trusted proxy, as `guardConnections` limits the connections
 * of every other client. The check throws RateLimited.
 */
export function limitConcurrency({ config, metrics }: ConcurrencyContext): (request: RequestContext) => void {
  const { trustedProxies } = config.http
  if (trustedProxies.rules.length === 0) return () => {}
  const concurrency = createConcurrencyLimit(config.connections.maxPerAddress)
  return (request) => {
    if (!isTrustedProxy(socketAddress(request.req.socket), trustedProxies)) return
    const leave = concurrency.enter(addressGroup(request.address))
    if (leave === undefined) {
      metrics.limitedRequests.inc({ policy: 'concurrency' })
      throw new RateLimited(1)
    }
    request.leaveConcurrency = () => {
      request.leaveConcurrency = undefined
      leave()
    }
    request.res.once('close', () => request.leaveConcurrency?.())
  }
}

interface ConcurrencyContext {
  config: { connections: { maxPerAddress: number }; http: { trustedProxies: BlockList } }
  /** Counts the rejected requests, by `policy`. */
  metrics: { limitedRequests: Counter }
}

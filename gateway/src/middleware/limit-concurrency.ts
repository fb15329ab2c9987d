import type { RequestHandler } from 'express'
import { createConcurrency } from '../connections/concurrency.ts'
import type { GatewayContext } from '../context.ts'
import { httpFaults } from '../errors/http-faults.ts'
import { addressGroup, callerAddress, isTrustedProxy, socketAddress } from '../limits/peer-address.ts'

/**
 * Limits the concurrent requests of each client behind a trusted proxy, as `guardConnections` limits the connections of
 * every other client.
 */
export function limitConcurrency({ config, metrics }: Pick<GatewayContext, 'config' | 'metrics'>): RequestHandler {
  const { trustedProxies } = config.http
  if (trustedProxies.rules.length === 0) return (_req, _res, next) => next()
  const concurrency = createConcurrency(config.connections.maxPerAddress)
  return (req, res, next) => {
    if (!isTrustedProxy(socketAddress(req.socket), trustedProxies)) return next()
    const leave = concurrency.enter(addressGroup(callerAddress(req, trustedProxies)))
    if (leave === undefined) {
      metrics.limitedRequests.inc({ policy: 'concurrency' })
      throw httpFaults.tooManyRequests(1)
    }
    res.once('close', leave)
    next()
  }
}

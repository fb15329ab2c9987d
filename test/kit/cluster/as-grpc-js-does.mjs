import { createRequire } from 'node:module'

/**
 * Loaded into a process before anything else, takes away one thing that makes callers find new replicas (`NEGATIVE_CONTROL`): of the
 * addresses of a name only one is taken (`pick-first`), or names are asked for again after 30 s at the earliest
 * (`slow-names`). Both are what grpc-js does unless told otherwise.
 */
const require = createRequire(new URL('../../../services/common/package.json', import.meta.url))
// The product's own copy, which is no dependency of the tests.
const library = '@grpc/grpc-js'
require(library)
const { registerLoadBalancerType } = require(`${library}/build/src/load-balancer`)
const { PickFirstLoadBalancer, PickFirstLoadBalancingConfig } = require(`${library}/build/src/load-balancer-pick-first`)
const { createResolver } = require(`${library}/build/src/resolver`)

if (process.env.NEGATIVE_CONTROL === 'pick-first') {
  registerLoadBalancerType('round_robin', PickFirstLoadBalancer, PickFirstLoadBalancingConfig)
} else {
  const resolver = Object.getPrototypeOf(createResolver({ scheme: 'dns', path: '127.0.0.1:1' }, () => true, {}))
  const { startNextResolutionTimer } = resolver
  resolver.startNextResolutionTimer = function () {
    this.minTimeBetweenResolutionsMs = 30_000
    startNextResolutionTimer.call(this)
  }
}

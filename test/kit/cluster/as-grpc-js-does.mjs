import { createRequire } from 'node:module'

/**
 * Preloaded into a process to disable one part of replica discovery, as chosen by NEGATIVE_CONTROL: `pick-first` uses only
 * one address of a name, `slow-names` resolves a name at most every 30 s. Both are defaults of grpc-js.
 */
const require = createRequire(new URL('../../../services/common/package.json', import.meta.url))
// The copy of the product; the tests do not depend on the library.
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

import { createRequire, registerHooks } from 'node:module'

/**
 * Preloaded into a process to disable one protection, as chosen by NEGATIVE_CONTROL: `pick-first` uses only one address of a
 * name, `slow-names` resolves a name at most every 30 s, `no-retry-budget` never suppresses a retry. All are defaults of
 * grpc-js.
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
} else if (process.env.NEGATIVE_CONTROL === 'no-retry-budget') {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      return url.endsWith('/common/src/grpc/retry.ts') ? { ...loaded, source: withoutBudget(loaded.source) } : loaded
    },
  })
} else {
  const resolver = Object.getPrototypeOf(createResolver({ scheme: 'dns', path: '127.0.0.1:1' }, () => true, {}))
  const { startNextResolutionTimer } = resolver
  resolver.startNextResolutionTimer = function () {
    this.minTimeBetweenResolutionsMs = 30_000
    startNextResolutionTimer.call(this)
  }
}

/** @param {import('node:module').ModuleSource | undefined} source */
function withoutBudget(source) {
  const text = String(source)
  const budget = 'const maxTokens = 100\n'
  if (!text.includes(budget)) throw new Error(`The retry budget is no longer defined by: ${budget}`)
  return text.replace(budget, 'const maxTokens = 1e9\n')
}

import type { TestProject } from 'vitest/node'
import type { SystemAddress } from './connection.ts'
import { startSystem } from './system.ts'

/**
 * vitest's global setup of the acceptance tests: starts one system for all of them. They share it safely, since
 * each makes stores of its own. When all are done, nothing that any of them was handed may be found lying around.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const system = await startSystem({ gateways: [{}, strictLimits] })
  project.provide('system', system.address)
  return async () => {
    try {
      const leaks = await system.findLeaks()
      if (leaks.length > 0) throw new Error(`Secrets were found outside of answers:\n${leaks.join('\n')}`)
    } finally {
      await system.stop()
    }
  }
}

/** Of the second gateway: small enough to be reached on purpose. */
const strictLimits = {}

declare module 'vitest' {
  interface ProvidedContext {
    system: SystemAddress
  }
}

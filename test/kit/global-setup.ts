import type { TestProject } from 'vitest/node'
import { startFakeStripe } from '../../services/orders/test/fake-stripe.ts'
import { type BrowserProgram, findBrowser } from '../browser/find-browser.ts'
import { startProduct } from './system.ts'
import type { SystemAddress } from './system-address.ts'

/**
 * Global setup of the acceptance tests: starts the product once for all of them. They share it safely because each
 * creates its own stores. At the end, no secret that was issued may be found in a log, a table, an event or Redis.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await findBrowser()
  const stripe = await startFakeStripe()
  const system = await startProduct([amplyLimited, strictlyLimited], {
    orders: { STRIPE_BASE_URL: stripe.url },
    pages: { PAYMENT_PROVIDER_ORIGINS: stripe.url },
  })
  project.provide('system', system.address)
  project.provide('browser', browser)
  project.provide('stripeUrl', stripe.url)
  return async () => {
    try {
      const leaks = await system.findLeaks()
      if (leaks.length > 0) throw new Error(`Secrets were found outside of responses:\n${leaks.join('\n')}`)
    } finally {
      await system.stop()
      await stripe.close()
    }
  }
}

/** Settings of the first gateway: all tests call from one address. */
const amplyLimited = {
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '100000',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000000',
  RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE: '100000000',
}

/**
 * Settings of the second gateway: limits low enough for tests to reach, for addresses that the tests choose. They are exact
 * only with Redis, so its timeout allows for a busy machine.
 */
const strictlyLimited = {
  REDIS_TIMEOUT_MS: '2000',
  RATE_LIMIT_API_KEY_PER_MINUTE: '5',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '4',
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '4',
  RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE: '3',
  RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '6',
  TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8',
}

declare module 'vitest' {
  interface ProvidedContext {
    system: SystemAddress
    browser: BrowserProgram
    /** A fake of Stripe's API. */
    stripeUrl: string
  }
}

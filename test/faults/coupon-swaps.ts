import { randomBytes } from 'node:crypto'
import { ServiceFault } from '@storekeep/common/errors'
import { createClient } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport } from '@storekeep/common/testing/identity'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { backOff, type SeededRandom, type System, scaled, waitFor } from '@storekeep/test/kit'

/**
 * Shoppers on checkout pages who apply one of the codes, swap it for another and remove it again, all the time, from two tabs
 * each. Retries during outages as the page does.
 */
export function startSwaps(system: System, { storeId, tokens, codes, random }: SwapOptions): Swaps {
  const transport = createTestTransport('checkout', system.checkout.address)
  const checkout = createClient(CheckoutService, transport)
  const counts = { applied: 0, removed: 0, exhausted: 0, busy: 0, unavailable: 0 }
  let isOver = false
  let paused: Promise<void> | undefined
  let running = 0

  async function shop(token: string): Promise<void> {
    while (!isOver) {
      await paused
      await change(token, random.below(4) === 0 ? undefined : random.pick(codes))
    }
  }

  /** @returns whether it succeeded */
  async function change(token: string, code: string | undefined): Promise<boolean> {
    const options = pageOptions(storeId)
    running += 1
    try {
      if (code === undefined) await checkout.removeCoupon({ token }, options)
      else await checkout.applyCoupon({ token, code }, options)
      counts[code === undefined ? 'removed' : 'applied'] += 1
      return true
    } catch (error) {
      counts[kindOf(error)] += 1
      await backOff()
      return false
    } finally {
      running -= 1
    }
  }

  const shopping = Promise.all(tokens.flatMap((token) => [shop(token), shop(token)]))
  return {
    counts,
    until: async (what, isMet) =>
      void (await waitFor(what, () => isMet(counts), { timeoutMs: Math.max(60_000, scaled(60_000)) })),
    async removeDuring(outage, code) {
      let resume = () => {}
      paused = new Promise((resolve) => {
        resume = resolve
      })
      await waitFor('the shoppers to pause', () => running === 0)
      for (const token of tokens) await waitFor('a coupon to remove', () => change(token, code), { timeoutMs: 60_000 })
      await outage(async () => {
        for (const token of tokens) await waitFor('a removal', () => change(token, undefined), { timeoutMs: 60_000 })
      })
      paused = undefined
      resume()
    },
    stop: async () => {
      isOver = true
      await shopping
      transport.close()
    },
  }
}

interface SwapOptions {
  storeId: string
  tokens: readonly string[]
  codes: readonly string[]
  random: SeededRandom
}

export interface Swaps {
  /** The outcomes so far. `busy`: another tab was changing the coupon. */
  readonly counts: Record<'applied' | 'removed' | 'exhausted' | 'busy' | 'unavailable', number>
  /** Resolves when the counts meet the condition. */
  until(what: string, isMet: (counts: Swaps['counts']) => boolean): Promise<void>
  /** Every shopper has a coupon when the outage begins, and removes it during the outage. The others wait. */
  removeDuring(outage: (removeAll: () => Promise<void>) => Promise<void>, code: string): Promise<void>
  stop(): Promise<void>
}

function kindOf(error: unknown): 'exhausted' | 'busy' | 'unavailable' {
  if (!(error instanceof ServiceFault)) return 'unavailable'
  if (error.code === 'conflict') return 'busy'
  if (error.code !== 'validation-failed') return 'unavailable'
  if (error.violations.some(({ code }) => code !== 'coupon-exhausted')) throw error
  return 'exhausted'
}

function pageOptions(storeId: string) {
  return {
    storeId,
    actor: { type: ActorType.ANONYMOUS },
    requestId: `test-${randomBytes(6).toString('hex')}`,
    traceparent: formatTraceparent(childContext()),
    deadlineMs: 5000,
  }
}

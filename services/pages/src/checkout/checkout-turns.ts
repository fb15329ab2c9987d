import type { CancelSignal } from '@storekeep/common/grpc'
import { BoundedMap } from '@storekeep/common/http'
import { createFairQueue } from '@storekeep/common/queue'
import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'

/**
 * Loads each checkout once at a time, and one large checkout per store at a time. The largest session costs many times the CPU
 * time of a usual one, in three processes that all stores share. This way, clients that request a store's large sessions delay other
 * checkouts by one load at most. The store of a session is known only after loading, so the process remembers the tokens of large
 * sessions.
 */
export function createCheckoutTurns(): CheckoutTurns {
  const queue = createFairQueue({ concurrency: Number.POSITIVE_INFINITY, maxWaiting })
  const storesOfLarge = new BoundedMap<string, string>(10_000)
  return {
    take: (token, signal, load) => queue.run({ key: storesOfLarge.get(token) ?? token, signal }, load),
    remember(token, session) {
      if (sizeOf(session) > usualSize) storesOfLarge.set(token, session.storeId)
    },
  }
}

export interface CheckoutTurns {
  /**
   * The result of `load`, once it is its turn.
   * @throws ServiceFault `service-unavailable` when too many requests wait, or when `signal` aborts
   */
  take<T>(token: string, signal: CancelSignal, load: () => Promise<T>): Promise<T>
  /** Call when the session of a token was loaded. */
  remember(token: string, session: Pick<CheckoutSession, 'storeId' | 'lines'>): void
}

/** Requests for the large checkouts of one store, or for one checkout, that may wait. */
const maxWaiting = 50
/** Ten lines without answers. */
const usualSize = 100

/** Estimates the cost in answers and payout splits. A line counts as ten of them, because an inline product can be long. */
function sizeOf({ lines }: Pick<CheckoutSession, 'lines'>): number {
  return lines.reduce(
    (size, { answeredVariables, payoutSplits }) => size + 10 + answeredVariables.length + payoutSplits.length,
    0,
  )
}

/**
 * Sends a second attempt if the first has no response after 500 ms, and returns the response that arrives first. The
 * other attempt is canceled. An unresponsive replica then costs its callers time, but no failures.
 *
 * @param first the attempt that was already sent
 * @param sendSecond sends the second attempt; resolves to undefined if there is no other replica or no budget
 * @throws the error of the last attempt to fail, once all have failed
 */
export function hedge<T>(first: Attempt<T>, sendSecond: () => Promise<Attempt<T> | undefined>): Promise<T> {
  return new Promise((resolve, reject) => {
    const attempts: Attempt<T>[] = []
    let open = 1
    let isSettled = false
    let failure: unknown
    const timer = setTimeout(() => {
      open += 1
      sendSecond().then((second) => (second ? waitFor(second) : closeOne()), fail)
    }, hedgeDelayMs)
    waitFor(first)

    function waitFor(attempt: Attempt<T>): void {
      attempts.push(attempt)
      attempt.response.then((response) => succeed(attempt, response), fail)
      // The first attempt succeeded while the second was being sent.
      if (isSettled) attempt.cancel()
    }
    function succeed(winner: Attempt<T>, response: T): void {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      resolve(response)
      for (const attempt of attempts) if (attempt !== winner) attempt.cancel()
    }
    function fail(error: unknown): void {
      failure = error
      closeOne()
    }
    function closeOne(): void {
      open -= 1
      if (open > 0) return
      clearTimeout(timer)
      reject(failure)
    }
  })
}

/** A request that has been sent. */
export interface Attempt<T> {
  response: Promise<T>
  /** Tells the server that the response is no longer needed. */
  cancel(): void
}

const hedgeDelayMs = 500

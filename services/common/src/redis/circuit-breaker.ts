/**
 * Limits how long a command may take and remembers that the server does not answer: after a time-out, commands are
 * refused at once for `restMs`, then one is let through to try. Without it every request behind a standing Redis
 * would wait for the whole time-out, and the commands would pile up in memory.
 */
export function createCircuitBreaker(timeoutMs: number): CircuitBreaker {
  let stalledUntil = 0

  async function run<T>(send: () => Promise<T>): Promise<T> {
    const now = performance.now()
    if (now < stalledUntil) throw new Error('Redis is not answering.')
    // Until this one is answered, the others keep away.
    if (stalledUntil > 0) stalledUntil = now + timeoutMs
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let answered = false
    function giveUp(): void {
      if (answered) return
      stalledUntil = performance.now() + restMs
      reject(new Error(`Redis did not answer within ${timeoutMs} ms.`))
    }
    // When it was this process that stood still, the answer lies in the socket, which is read before `setImmediate`.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
    function settle(finish: () => void): void {
      answered = true
      stalledUntil = 0
      clearTimeout(timer)
      finish()
    }
    send().then(
      (answer) => settle(() => resolve(answer)),
      (error: unknown) => settle(() => reject(error)),
    )
    return promise
  }

  return { run, isStalled: () => performance.now() < stalledUntil }
}

const restMs = 200

interface CircuitBreaker {
  run<T>(send: () => Promise<T>): Promise<T>
  isStalled(): boolean
}

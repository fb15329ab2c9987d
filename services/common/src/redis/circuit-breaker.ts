/**
 * A circuit breaker with a timeout per command. After a timeout the circuit is open: commands fail immediately for
 * `openMs`, then one is let through as a probe. Without it, every request would wait for the full timeout while Redis is
 * unresponsive, and commands would pile up in memory.
 */
export function createCircuitBreaker(timeoutMs: number): CircuitBreaker {
  let openUntil = 0

  async function run<T>(send: () => Promise<T>): Promise<T> {
    const now = performance.now()
    if (now < openUntil) throw new Error('Redis is unresponsive.')
    // This command is the probe; the others fail until it has settled.
    if (openUntil > 0) openUntil = now + timeoutMs
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let isSettled = false
    function timeOut(): void {
      if (isSettled) return
      openUntil = performance.now() + openMs
      reject(new Error(`Redis did not respond within ${timeoutMs} ms.`))
    }
    // If this process was paused, the response is in the socket, which is read before `setImmediate` callbacks run.
    const timer = setTimeout(() => setImmediate(timeOut), timeoutMs)
    function settle(finish: () => void): void {
      isSettled = true
      openUntil = 0
      clearTimeout(timer)
      finish()
    }
    send().then(
      (response) => settle(() => resolve(response)),
      (error: unknown) => settle(() => reject(error)),
    )
    return promise
  }

  return { run, isOpen: () => performance.now() < openUntil }
}

const openMs = 200

interface CircuitBreaker {
  run<T>(send: () => Promise<T>): Promise<T>
  isOpen(): boolean
}

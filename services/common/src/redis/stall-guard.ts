/**
 * Limits how long a command may take and remembers that the server does not answer: after a time-out, commands are
 * refused at once for `restMs`, then one is let through to try. Without it every request behind a standing Redis
 * would wait for the whole time-out, and the commands would pile up in memory.
 */
export function createStallGuard(timeoutMs: number): StallGuard {
  let stalledUntil = 0

  async function run<T>(send: () => Promise<T>): Promise<T> {
    const now = performance.now()
    if (now < stalledUntil) throw new Error('Redis is not answering.')
    // Until this one is answered, the others keep away.
    if (stalledUntil > 0) stalledUntil = now + timeoutMs
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => {
      stalledUntil = performance.now() + restMs
      reject(new Error(`Redis did not answer within ${timeoutMs} ms.`))
    }, timeoutMs)
    send().then(
      (answer) => {
        stalledUntil = 0
        resolve(answer)
      },
      (error: unknown) => {
        stalledUntil = 0
        reject(error)
      },
    )
    return promise.finally(() => clearTimeout(timer))
  }

  return { run, isStalled: () => performance.now() < stalledUntil }
}

const restMs = 200

interface StallGuard {
  run<T>(send: () => Promise<T>): Promise<T>
  isStalled(): boolean
}

/**
 * A signal for a loop that works on demand and also polls. A signal sent while the loop is busy is remembered; several
 * signals count as one.
 */
export function createWakeSignal(): WakeSignal {
  let isSignaled = false
  let wakeUp: (() => void) | undefined

  return {
    wake() {
      isSignaled = true
      wakeUp?.()
    },
    wait(ms) {
      if (isSignaled) {
        isSignaled = false
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => finish(false), ms)
        wakeUp = () => finish(true)
        function finish(woken: boolean): void {
          clearTimeout(timer)
          wakeUp = undefined
          isSignaled = false
          resolve(woken)
        }
      })
    },
  }
}

export interface WakeSignal {
  wake(): void
  /** Resolves to true when signaled, now or since the last wait, and to false after `ms`. */
  wait(ms: number): Promise<boolean>
}

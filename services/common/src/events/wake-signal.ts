/**
 * A bell for a loop that works when there is something to do and looks by itself from time to time. Ringing it while
 * nobody waits is remembered, so that no work is missed; ringing it often is as good as once.
 */
export function createWakeSignal(): WakeSignal {
  let rung = false
  let wakeUp: (() => void) | undefined

  return {
    ring() {
      rung = true
      wakeUp?.()
    },
    wait(ms) {
      if (rung) {
        rung = false
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => finish(false), ms)
        wakeUp = () => finish(true)
        function finish(woken: boolean): void {
          clearTimeout(timer)
          wakeUp = undefined
          rung = false
          resolve(woken)
        }
      })
    },
  }
}

export interface WakeSignal {
  ring(): void
  /** Resolves true when rung, now or since the last wait, and false after `ms`. */
  wait(ms: number): Promise<boolean>
}

/**
 * Asks once more when there is no answer after half a second, and gives the first answer that comes, whichever asking it
 * answers; the other one is called off. A replica that stands still then costs its callers time and no answers.
 *
 * @param again answers undefined when there is nobody else to ask, or it shall not be
 */
export function hedge<T>(first: Asking<T>, again: () => Promise<Asking<T> | undefined>): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked: Asking<T>[] = []
    let open = 1
    let isWon = false
    let failure: unknown
    const timer = setTimeout(() => {
      open += 1
      again().then((second) => (second ? waitFor(second) : closeOne()), lose)
    }, patienceMs)
    waitFor(first)

    function waitFor(asking: Asking<T>): void {
      asked.push(asking)
      asking.answer.then((answer) => win(asking, answer), lose)
      // It took too long to find somebody.
      if (isWon) asking.cancel()
    }
    function win(winner: Asking<T>, answer: T): void {
      if (isWon) return
      isWon = true
      clearTimeout(timer)
      resolve(answer)
      for (const asking of asked) if (asking !== winner) asking.cancel()
    }
    function lose(error: unknown): void {
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

/** A question that has been put to somebody. */
export interface Asking<T> {
  answer: Promise<T>
  /** Nobody waits for it any more. */
  cancel(): void
}

const patienceMs = 500

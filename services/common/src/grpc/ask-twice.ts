/**
 * Asks once more when there is no answer after half a second, and gives the first answer that comes, whichever asking it
 * answers. A replica that stands still then costs its callers time and no answers. What the slower one still does is not
 * called off: it is a read, and ends with its deadline.
 *
 * @param again answers undefined when that shall not be
 */
export function askTwice<T>(ask: () => Promise<T>, again: () => Promise<T> | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = 1
    const timer = setTimeout(() => {
      const second = again()
      if (!second) return
      left += 1
      second.then(win, lose)
    }, patienceMs)
    function win(answer: T): void {
      clearTimeout(timer)
      resolve(answer)
    }
    function lose(error: unknown): void {
      left -= 1
      if (left > 0) return
      clearTimeout(timer)
      reject(error)
    }
    ask().then(win, lose)
  })
}

const patienceMs = 500

/**
 * Prints each step with its duration. A terminal shows running steps immediately; other output announces long steps only.
 * `quiet` prints to stderr, and only steps of at least a second, so that stdout holds nothing but the command's output.
 * From then on, output that cannot be written, to a full disk or a closed pipe, is dropped and does not end the process.
 * @param {{ quiet?: boolean }} options
 */
export function createProgress({ quiet = false } = {}) {
  const out = quiet ? process.stderr : process.stdout
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const live = out.isTTY === true && !quiet

  /** @type {Set<string>} */
  const running = new Set()
  let closed = false

  /**
   * @template T
   * @param {string} name
   * @param {() => T | Promise<T>} work
   * @returns {Promise<T>}
   */
  async function step(name, work) {
    const started = performance.now()
    running.add(name)
    redraw()
    const announce = setTimeout(() => live || closed || out.write(`  … ${name}\n`), 1500)
    try {
      const result = await work()
      finish('✓', name, started)
      return result
    } catch (failure) {
      finish('✗', name, started)
      throw failure
    } finally {
      clearTimeout(announce)
    }
  }

  /**
   * @param {string} sign
   * @param {string} name
   * @param {number} started
   */
  function finish(sign, name, started) {
    const seconds = (performance.now() - started) / 1000
    if (closed) return
    running.delete(name)
    if (quiet && sign === '✓' && seconds < 1) return
    const time = seconds >= 0.05 ? ` (${seconds.toFixed(1)} s)` : ''
    out.write(`${live ? clearLine : ''}  ${sign} ${name}${time}\n`)
    redraw()
  }

  /** Shows the running steps in the last line of the terminal. */
  function redraw() {
    if (live) out.write(running.size > 0 ? `${clearLine}  … ${[...running].join(', ')}` : clearLine)
  }

  return {
    step,
    /** Stops printing; running steps are being canceled. */
    close: () => {
      running.clear()
      redraw()
      closed = true
    },
    /**
     * Prints a line about an event outside of the steps.
     * @param {string} text
     */
    notice: (text) => {
      if (closed) return
      out.write(`${live ? clearLine : ''}  ! ${text}\n`)
      redraw()
    },
    /** @param {string} text */
    title: (text) => void (quiet || out.write(`\n${text}\n`)),
  }
}

const clearLine = '\r\x1b[2K'

/** @typedef {ReturnType<typeof createProgress>} Progress */

import type { TraceContext } from './trace-context.ts'

/**
 * Decides whether a trace is recorded: a share of those that begin here. A caller's own decision counts, so that its
 * trace and ours are one, but not without end: anybody can send `traceparent`, and recording everything is what must
 * not be had for asking. So many wishes per second are granted; beyond these the share decides, by chance and not by
 * the trace id, which the caller picks too. A caller that does not record is not recorded.
 */
export function createSampler({
  ratio,
  now = performance.now.bind(performance),
  random = Math.random,
}: SamplerOptions): Sampler {
  let wishes = wishesPerSecond
  let refilledAt = now()

  function grantWish(): boolean {
    const at = now()
    wishes = Math.min(wishesPerSecond, wishes + ((at - refilledAt) / 1000) * wishesPerSecond)
    refilledAt = at
    if (wishes < 1) return false
    wishes -= 1
    return true
  }

  return (caller) => {
    if (caller && !caller.sampled) return false
    return random() < ratio || (caller !== undefined && grantWish())
  }
}

/** Whether to record, given the context that came from outside. */
export type Sampler = (caller: TraceContext | undefined) => boolean

const wishesPerSecond = 10

interface SamplerOptions {
  /** Share of the traces, 0 to 1. */
  ratio: number
  /** In milliseconds, and never back, as the time of day may go. */
  now?: () => number
  random?: () => number
}

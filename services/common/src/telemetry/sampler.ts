import type { TraceContext } from './trace-context.ts'

/**
 * Decides whether to record a trace. Traces that start here are recorded with probability `ratio`. A caller that does not
 * sample its trace is never recorded. A caller that does is recorded up to 10 times per second, so that its trace stays
 * complete; beyond that, `ratio` applies. The limit exists because anyone can send `traceparent`. Sampling is random and
 * not derived from the trace id, which the caller chooses.
 */
export function createSampler({
  ratio,
  now = performance.now.bind(performance),
  random = Math.random,
}: SamplerOptions): Sampler {
  let tokens = callerTracesPerSecond
  let refilledAt = now()

  function takeToken(): boolean {
    const at = now()
    tokens = Math.min(callerTracesPerSecond, tokens + ((at - refilledAt) / 1000) * callerTracesPerSecond)
    refilledAt = at
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  return (caller) => {
    if (caller && !caller.sampled) return false
    return random() < ratio || (caller !== undefined && takeToken())
  }
}

/** Whether to record a trace, given the context of the caller if there is one. */
export type Sampler = (caller: TraceContext | undefined) => boolean

const callerTracesPerSecond = 10

interface SamplerOptions {
  /** Share of recorded traces, 0 to 1. */
  ratio: number
  /** Monotonic clock in milliseconds. */
  now?: () => number
  random?: () => number
}

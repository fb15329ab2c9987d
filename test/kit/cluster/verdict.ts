import type { Outcome } from './open-loop.ts'

/**
 * Summarizes a run and finds lost and duplicate writes.
 * @param effects how often each marker was written (`countEffects`)
 */
export function judge(outcomes: readonly Outcome[], effects: ReadonlyMap<string, number>): Verdict {
  const failed = outcomes.filter(({ failures }) => failures.length > 0)
  const marked = outcomes.filter(({ kind }) => kind.isMarked)
  const countOf = ({ marker }: Outcome) => effects.get(marker) ?? 0
  return {
    requests: outcomes.length,
    writes: outcomes.filter(({ kind }) => !kind.isRead).length,
    failedReads: failed.filter(({ kind }) => kind.isRead).map(describe),
    failedWrites: failed.filter(({ kind }) => !kind.isRead).map(describe),
    unfinished: failed.filter((one) => one.kind.isKeyed && !succeeded(one)).map(describe),
    twice: marked.filter((one) => countOf(one) > 1).map(describe),
    lost: marked.filter((one) => succeeded(one) && countOf(one) === 0).map(describe),
  }
}

function succeeded({ attempts, failures }: Outcome): boolean {
  return attempts > failures.length
}

function describe({ phase, kind, ms, failures }: Outcome): string {
  return `${phase}: ${kind.name}, ${ms.toFixed(0)} ms, ${failures[0] ?? 'succeeded'}`
}

/** Each list has one line per request. */
export interface Verdict {
  requests: number
  writes: number
  /** Reads with a failed attempt. */
  failedReads: string[]
  failedWrites: string[]
  /** Writes with an idempotency key that never succeeded. */
  unfinished: string[]
  /** Writes with more than one effect. */
  twice: string[]
  /** Writes that succeeded without an effect. */
  lost: string[]
}

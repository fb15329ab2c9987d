import type { Outcome } from './open-loop.ts'

/**
 * What became of the requests of a run.
 * @param effects how often each marker was written (`countEffects`)
 */
export function judge(outcomes: readonly Outcome[], effects: ReadonlyMap<string, number>): Verdict {
  const failed = outcomes.filter(({ failures }) => failures.length > 0)
  const marked = outcomes.filter(({ kind }) => kind.leavesMark)
  const countOf = ({ marker }: Outcome) => effects.get(marker) ?? 0
  return {
    requests: outcomes.length,
    writes: outcomes.filter(({ kind }) => !kind.isRead).length,
    failedReads: failed.filter(({ kind }) => kind.isRead).map(describe),
    failedWrites: failed.filter(({ kind }) => !kind.isRead).map(describe),
    unanswered: failed.filter((one) => one.kind.isKeyed && !succeeded(one)).map(describe),
    twice: marked.filter((one) => countOf(one) > 1).map(describe),
    lost: marked.filter((one) => succeeded(one) && countOf(one) === 0).map(describe),
  }
}

function succeeded({ attempts, failures }: Outcome): boolean {
  return attempts > failures.length
}

function describe({ phase, kind, ms, failures }: Outcome): string {
  return `${phase}: ${kind.name}, ${ms.toFixed(0)} ms, ${failures[0] ?? 'answered'}`
}

/** Lists have one line for each request. */
export interface Verdict {
  requests: number
  writes: number
  /** Those whose first attempt failed. */
  failedReads: string[]
  failedWrites: string[]
  /** With a key, and without an response however often they were sent. */
  unanswered: string[]
  /** Written more than once. */
  twice: string[]
  /** Answered with success, and not there. */
  lost: string[]
}

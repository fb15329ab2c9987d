import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from './context.ts'
import { compileSteps, maxCallSteps, maxMatchSteps } from './domain/limits.ts'

/**
 * The matches of one call: one at a time, each pair of pattern and answer once, and no more than a call may cost.
 * Neither texts hold NUL.
 * @throws ServiceFault `unavailable` when the caller's patience ends
 */
export function createMatching({ turns, patterns }: AppContext, call: Call, storeId: string): Matching {
  const verdicts = new Map<string, Verdict>()
  const compiled = new Set<string>()
  let steps = 0
  const match = (text: string, answer: string): Verdict => {
    if (!compiled.has(text)) steps += compileSteps * text.length
    compiled.add(text)
    if (steps > maxCallSteps) return 'too long'
    const pattern = patterns.get(text)
    const cost = pattern.steps(answer)
    if (cost > maxMatchSteps || steps + cost > maxCallSteps) return 'too long'
    steps += cost
    return pattern.fits(answer) ? 'fits' : 'differs'
  }
  return async (text, answer) => {
    const pair = `${text}\0${answer}`
    const known = verdicts.get(pair)
    if (known !== undefined) return known
    await turns.next(storeId)
    if (call.remainingMs() === 0) throw errors.unavailable(new Error('the deadline has passed'))
    const verdict = match(text, answer)
    verdicts.set(pair, verdict)
    return verdict
  }
}

export type Matching = (pattern: string, answer: string) => Promise<Verdict>
type Verdict = 'fits' | 'differs' | 'too long'

import { describe, expect, it } from 'vitest'
import { createSampler } from './sampler.ts'

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const who = { wants: { ...caller, sampled: true }, wantsNot: { ...caller, sampled: false } }

function sampler({ ratio }: { ratio: number }) {
  const clock = { ms: 0 }
  let turn = 0
  // Every tenth of a circle in turn: 0.05, 0.15, … 0.95.
  const random = () => ((turn++ % 10) + 0.5) / 10
  return { clock, samples: createSampler({ ratio, now: () => clock.ms, random }) }
}

const count = (samples: (of: typeof who.wants | undefined) => boolean, of?: typeof who.wants) =>
  Array.from({ length: 1000 }, () => samples(of)).filter(Boolean).length

describe('the sampler', () => {
  it.each([
    [0, 0],
    [0.1, 100],
    [0.5, 500],
    [1, 1000],
  ])('records a share of %s of the traces that begin here', (ratio, recorded) => {
    expect(count(sampler({ ratio }).samples)).toBe(recorded)
  })

  it('records none whose caller does not', () => {
    expect(count(sampler({ ratio: 1 }).samples, who.wantsNot)).toBe(0)
  })

  it('grants callers who want theirs recorded ten a second, and no more than the share beyond', () => {
    const { samples, clock } = sampler({ ratio: 0 })
    expect(count(samples, who.wants)).toBe(10)
    clock.ms += 500
    expect(count(samples, who.wants)).toBe(5)
    clock.ms += 3_600_000
    expect(count(samples, who.wants)).toBe(10)
    expect(count(sampler({ ratio: 0.1 }).samples, who.wants)).toBe(110)
  })

  it('decides by chance and not by the trace id, which a caller picks', () => {
    const { samples } = sampler({ ratio: 0.1 })
    expect(count(samples, { ...who.wants, traceId: `${'0'.repeat(31)}1` })).toBe(110)
  })
})

import { describe, expect, it } from 'vitest'
import { createSampler } from './sampler.ts'

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const callers = { sampling: { ...caller, sampled: true }, notSampling: { ...caller, sampled: false } }

function sampler({ ratio }: { ratio: number }) {
  const clock = { ms: 0 }
  let turn = 0
  // Cycles through 0.05, 0.15, … 0.95.
  const random = () => ((turn++ % 10) + 0.5) / 10
  return { clock, samples: createSampler({ ratio, now: () => clock.ms, random }) }
}

const count = (samples: (of: typeof callers.sampling | undefined) => boolean, of?: typeof callers.sampling) =>
  Array.from({ length: 1000 }, () => samples(of)).filter(Boolean).length

describe('the sampler', () => {
  it.each([
    [0, 0],
    [0.1, 100],
    [0.5, 500],
    [1, 1000],
  ])('records a share of %s of the traces that start here', (ratio, recorded) => {
    expect(count(sampler({ ratio }).samples)).toBe(recorded)
  })

  it('records no trace whose caller does not sample it', () => {
    expect(count(sampler({ ratio: 1 }).samples, callers.notSampling)).toBe(0)
  })

  it('records ten sampled traces of callers per second, and a share of the rest', () => {
    const { samples, clock } = sampler({ ratio: 0 })
    expect(count(samples, callers.sampling)).toBe(10)
    clock.ms += 500
    expect(count(samples, callers.sampling)).toBe(5)
    clock.ms += 3_600_000
    expect(count(samples, callers.sampling)).toBe(10)
    expect(count(sampler({ ratio: 0.1 }).samples, callers.sampling)).toBe(110)
  })

  it('samples at random, independent of the trace id', () => {
    const { samples } = sampler({ ratio: 0.1 })
    expect(count(samples, { ...callers.sampling, traceId: `${'0'.repeat(31)}1` })).toBe(110)
  })
})

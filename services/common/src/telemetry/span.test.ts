import { describe, expect, it } from 'vitest'
import { recordSpans } from '../../testing/record-spans.ts'
import { endWith, startTrace, unrecordedContext } from './span.ts'

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }

describe('an unrecorded trace', () => {
  it('is not sampled downstream, even if tracing is disabled and the caller requested it', () => {
    expect(startTrace('work', 'server', caller)).toBeUndefined()
    expect(unrecordedContext(caller)).toMatchObject({ traceId: caller.traceId, sampled: false })
  })
})

describe('a span', () => {
  it('ends with its work, even if the work throws synchronously', async () => {
    const record = recordSpans()
    const span = startTrace('work', 'internal')
    const work = () => {
      throw new TypeError('broken')
    }
    await expect(span && endWith(span, work)).rejects.toThrow('broken')
    expect(record.spans()).toMatchObject([{ name: 'work', failed: true }])
    record.stop()
  })
})

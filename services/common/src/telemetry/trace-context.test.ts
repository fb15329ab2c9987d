import { describe, expect, it } from 'vitest'
import { childContext, formatTraceparent, parseTraceparent } from './trace-context.ts'

const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

describe('trace context', () => {
  it('parses and formats the same traceparent', () => {
    const context = parseTraceparent(header)
    expect(context && formatTraceparent(context)).toBe(header)
  })

  it.each([
    undefined,
    '',
    'nonsense',
    header.toUpperCase(),
    header.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
  ])('rejects %s', (text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })

  it('inherits trace id and sampling decision from the parent', () => {
    const parent = parseTraceparent(header)
    const child = childContext(parent)
    expect(child).toMatchObject({ traceId: parent?.traceId, sampled: true })
    expect(child.spanId).not.toBe(parent?.spanId)
  })
})

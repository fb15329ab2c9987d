import type { ReceivedSpan } from '@storekeep/test/kit'

/**
 * Describes what is missing in the trace of a write; empty when it is complete. It starts with the caller, every span has a
 * parent, and each event has one unbroken path HTTP → gRPC → SQL, outbox → NATS → consumer → SQL of the search index.
 */
export function gapsOf(trace: readonly ReceivedSpan[], caller: string, events: number): string[] {
  const byId = new Map(trace.map((span) => [span.spanId, span]))
  const gaps: string[] = []
  const roots = trace.filter(({ parentId }) => parentId === caller)
  const [root] = roots
  if (roots.length !== 1 || root?.kind !== 'server' || root.service !== 'gateway') gaps.push('no HTTP span at the root')
  for (const span of trace) {
    if (span.parentId !== caller && !byId.has(span.parentId)) gaps.push(`${span.name} has no parent`)
  }
  const indexed = trace.filter(({ service, name }) => service === 'search' && name === 'INSERT document')
  const ways = indexed.map((span) => wayUp(span, byId))
  const whole = ways.filter((way) => isWhole(way))
  const published = new Set(whole.map((way) => way.find(({ kind }) => kind === 'producer')?.spanId))
  if (published.size !== events) gaps.push(`${published.size} of ${events} events on an unbroken path to the index`)
  // One statement writes all events of a transaction.
  if (!trace.some(({ name }) => name === 'INSERT outbox')) gaps.push('no SQL span of the outbox')
  return gaps
}

/** The path from a span to the root of its trace. */
function wayUp(span: ReceivedSpan, byId: ReadonlyMap<string, ReceivedSpan>): ReceivedSpan[] {
  const way = [span]
  for (let above = byId.get(span.parentId); above && way.length < 50; above = byId.get(above.parentId)) way.push(above)
  return way
}

/** The kinds of spans on the path, bottom up, with repeated gRPC calls merged. */
function isWhole(way: readonly ReceivedSpan[]): boolean {
  const names = way.map(({ kind, service }) => (service === 'gateway' ? `gateway ${kind}` : kind)).join(' < ')
  return /^client < internal < consumer < producer < server < (client < server < )*gateway client < gateway server$/.test(
    names,
  )
}

/** The trace as indented lines in chronological order. */
export function printTree(trace: readonly ReceivedSpan[], caller: string): string {
  const first = Math.min(...trace.map(({ startMs }) => startMs))
  const lines: string[] = []
  function print(parent: string, depth: number): void {
    const children = trace.filter(({ parentId }) => parentId === parent).toSorted((a, b) => a.startMs - b.startMs)
    for (const { spanId, service, kind, name, startMs, endMs } of children) {
      const at = `${Math.round(startMs - first)} ms`.padStart(8)
      const took = `${(endMs - startMs).toFixed(1)} ms`.padStart(8)
      lines.push(`${at} ${took}  ${'  '.repeat(depth)}${service}: ${name} (${kind})`)
      print(spanId, depth + 1)
    }
  }
  print(caller, 0)
  return lines.join('\n')
}

import { TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../log/index.ts'
import { createMetrics } from './index.ts'
import { createSpanQueue } from './span-queue.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function start() {
  const metrics = createMetrics({ service: 'test' })
  const lines: string[] = []
  const log = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } })
  const pendingExports: ((result: { code: number; error?: Error }) => void)[] = []
  const exporter = {
    export: (_spans: unknown, done: (result: { code: number }) => void) => pendingExports.push(done),
    shutdown: async () => {},
  }
  const queue = createSpanQueue({ exporter, exportTimeoutMs: 5000, log, metrics })
  const provider = new TracerProvider({ spanProcessors: [queue] })
  const tracer = provider.getTracer('test')
  const finishExports = (result: { code: number; error?: Error }) => {
    for (const done of pendingExports.splice(0)) done(result)
  }
  closers.push(async () => {
    const flushing = queue.forceFlush()
    await vi.waitFor(() => finishExports({ code: 0 }))
    await flushing.catch(() => {})
  })
  return {
    lines,
    finishExports,
    waiting: () => pendingExports.length,
    record: (count: number) => {
      for (let n = 0; n < count; n += 1) tracer.startSpan('work').end()
    },
    counted: async (name: string) => {
      const values = await metrics.registry.getSingleMetric(name)?.get()
      return Object.fromEntries(values?.values.map(({ labels, value }) => [labels.reason ?? 'all', value]) ?? [])
    },
  }
}

describe('the span queue', () => {
  it('holds up to 2,048 spans while the collector is unresponsive, and counts dropped ones', async () => {
    const { record, counted, finishExports, waiting } = start()
    record(5000)
    expect(await counted('trace_spans_dropped_total')).toEqual({ 'queue-full': 5000 - 2048, 'export-failed': 0 })
    await vi.waitFor(() => expect(waiting()).toBe(1))
    finishExports({ code: 0 })
    record(5000)
    expect((await counted('trace_spans_dropped_total'))['queue-full']).toBe(5000 - 2048 + 5000 - 512)
  })

  it('counts failed exports, and logs once when they fail and once when they recover', async () => {
    const { record, counted, finishExports, waiting, lines } = start()
    const error = Object.assign(new Error('connect to secret-host'), { code: 'ECONNREFUSED' })
    for (const result of [{ code: 1, error }, { code: 1, error }, { code: 0 }]) {
      record(512)
      await vi.waitFor(() => expect(waiting()).toBe(1))
      finishExports(result)
    }
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    expect((await counted('trace_spans_dropped_total'))['export-failed']).toBe(1024)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', reason: 'ECONNREFUSED', msg: 'trace export failed: dropping spans' },
      { level: 'info', msg: 'trace export recovered' },
    ])
    expect(lines.join('')).not.toContain('secret-host')
  })
})

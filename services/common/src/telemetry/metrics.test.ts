import { describe, expect, it } from 'vitest'
import { createMetrics } from './index.ts'

describe('metrics', () => {
  it('export known label values as 0, so that `rate` sees the first increment', async () => {
    const metrics = createMetrics({ service: 'test' })
    const counter = metrics.counter('things_total', 'Things.', ['kind'], { kind: ['good', 'bad'] })
    counter.inc({ kind: 'good' })
    const text = await metrics.registry.metrics()
    expect(text).toContain('things_total{kind="good",application="storekeep",service="test"} 1')
    expect(text).toContain('things_total{kind="bad",application="storekeep",service="test"} 0')
  })

  it('drop label sets that a gauge no longer collects', async () => {
    const metrics = createMetrics({ service: 'test' })
    let pools = ['one', 'two']
    metrics.gauge('size', 'Size.', () => pools.map((pool) => ({ labels: { pool }, value: 5 })), ['pool'])
    expect(await metrics.registry.metrics()).toContain('size{pool="two",application="storekeep",service="test"} 5')
    pools = ['one']
    const text = await metrics.registry.metrics()
    expect(text).toContain('size{pool="one",application="storekeep",service="test"} 5')
    expect(text).not.toContain('two')
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics, startObserveServer } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(ready: () => Promise<boolean>) {
  const metrics = createMetrics({ service: 'test' })
  const server = await startObserveServer({ host: '127.0.0.1', port: 0, metrics, ready })
  closers.push(() => server.close())
  return { metrics, get: (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`) }
}

describe('the observe server', () => {
  it('exports every metric with the label `service`', async () => {
    const { metrics, get } = await start(async () => true)
    metrics.counter('things_total', 'Things.', ['kind']).inc({ kind: 'good' })
    metrics.gauge('age_seconds', 'Age.', async () => 7)
    const text = await (await get('/metrics')).text()
    expect(text).toContain('things_total{kind="good",application="storekeep",service="test"} 1')
    expect(text).toContain('age_seconds{application="storekeep",service="test"} 7')
  })

  it('is not ready while the process is not, but healthy', async () => {
    const { get } = await start(() => Promise.reject(new Error('database down')))
    expect([(await get('/readyz')).status, (await get('/healthz')).status, (await get('/else')).status]).toEqual([
      503, 200, 404,
    ])
  })
})

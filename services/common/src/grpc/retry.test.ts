import { describe, expect, it } from 'vitest'
import { createMetrics } from '../telemetry/index.ts'
import { createRetry } from './retry.ts'
import { exportRetries } from './retry-metrics.ts'

const options = { isRetryable: () => true, wasSent: () => true, remainingMs: () => 10_000, signal: undefined }
const fail = () => Promise.reject(new Error('unavailable'))

function createMeasured() {
  const metrics = createMetrics({ service: 'test' })
  const retry = createRetry(exportRetries(metrics, { address: 'stores:1' }, () => retry.tokens()))
  const read = async (name: string, outcome?: string) => {
    const values = (await metrics.registry.getSingleMetric(name)?.get())?.values ?? []
    return values.find(({ labels }) => labels.server_address === 'stores:1' && labels.outcome === outcome)?.value
  }
  return { retry, read }
}

describe('retry metrics', () => {
  it('start at 0 for each called server', async () => {
    const { read } = createMeasured()
    expect(await read('rpc_client_retries_total')).toBe(0)
    expect(await read('rpc_client_retries_suppressed_total')).toBe(0)
    expect(await read('rpc_client_retry_tokens')).toBe(100)
  })

  it('count every attempt after the first, and none of a call that succeeds immediately', async () => {
    const { retry, read } = createMeasured()
    await retry.run(async () => 'fine', options)
    await expect(retry.run(fail, options)).rejects.toThrow('unavailable')
    expect(await read('rpc_client_retries_total')).toBe(3)
    expect(await read('rpc_client_retry_tokens')).toBe(96)
  })

  it('show that retries of unsent attempts cost no budget', async () => {
    const { retry, read } = createMeasured()
    await Promise.allSettled(Array.from({ length: 60 }, () => retry.run(fail, { ...options, wasSent: () => false })))
    expect(await read('rpc_client_retry_tokens')).toBe(100)
    expect(await read('rpc_client_retries_total')).toBe(300)
  })

  it('show that hedging stops long before retries do', () => {
    const { retry } = createMeasured()
    expect(Array.from({ length: 60 }, () => retry.mayHedge()).filter(Boolean)).toHaveLength(25)
  })

  it('count suppressed retries once too many calls have failed', async () => {
    const { retry, read } = createMeasured()
    await Promise.allSettled(Array.from({ length: 60 }, () => retry.run(fail, options)))
    const suppressed = (await read('rpc_client_retries_suppressed_total')) ?? 0
    expect(suppressed).toBeGreaterThan(0)
    expect(await read('rpc_client_retry_tokens')).toBeLessThanOrEqual(50)
  })
})

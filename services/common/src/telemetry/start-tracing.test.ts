import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { spawnEntry } from '../../testing/spawn-entry.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics, inTrace, startTracing } from './index.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('tracing', () => {
  it.each([
    ['', 'not loaded'],
    ['http://127.0.0.1:9', 'loaded'],
  ])('with endpoint "%s": SDK %s', async (endpoint, expected) => {
    const script = new URL('../../test/fixtures/loaded-modules.ts', import.meta.url)
    const { code, stdout, stderr } = await spawnEntry(script, [endpoint], {}).exited
    expect([code, stderr.replace(/.*Warning.*\n|\(Use .*\n/g, '')]).toEqual([0, ''])
    const loaded: string[] = JSON.parse(stdout)
    expect(loaded.length).toBeGreaterThan(50)
    // `@opentelemetry/api` is a dependency of prom-client.
    const sdk = loaded.filter((one) => /@opentelemetry\/(?!api\/)/.test(one))
    expect(sdk.length > 0 ? 'loaded' : 'not loaded').toBe(expected)
  })

  it('stops within its time limit while the collector is unresponsive', async () => {
    let unanswered = 0
    let aborted = false
    const collector = createServer((request) => {
      unanswered += 1
      request.socket.once('close', () => {
        aborted = true
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      collector.closeAllConnections()
      collector.close()
    })
    const tracing = await startTracing({
      service: 'test',
      config: { endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`, headers: {}, ratio: 1 },
      log: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics({ service: 'test' }),
    })
    await inTrace('work', async () => {})
    const stopped = tracing.stop()
    await vi.waitFor(() => expect(unanswered).toBe(1), 60_000)
    await stopped
    // Before the exporter aborts its request.
    expect(aborted).toBe(false)
  })

  it('sends the configured headers and the name of the process', async () => {
    const requests: { url: string | undefined; key: unknown; body: string }[] = []
    const collector = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      requests.push({ url: request.url, key: request.headers['x-key'], body: Buffer.concat(chunks).toString('latin1') })
      response.end()
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    closers.push(() => collector.close())
    const tracing = await startTracing({
      service: 'a-service',
      config: {
        endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/below/`,
        headers: { 'x-key': 'secret' },
        ratio: 1,
      },
      log: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics({ service: 'test' }),
    })
    await inTrace('work', async () => {})
    await tracing.stop()
    expect(requests).toMatchObject([{ url: '/below/v1/traces', key: 'secret' }])
    expect(requests[0]?.body).toContain('a-service')
  })
})

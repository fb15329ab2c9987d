import { recordSpans } from '@storekeep/common/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useGateway } from './harness.ts'

const gateway = useGateway()
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = (flags: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` })

describe('the span of a request', () => {
  let record: ReturnType<typeof recordSpans>
  beforeEach(() => {
    record = recordSpans()
  })
  afterEach(() => record.stop())
  const requests = () => record.spans().filter(({ kind }) => kind === 'server' || kind === 'client')

  it('is a child of the caller, named by the route, and the parent of the gRPC calls', async () => {
    const store = gateway.newStore()
    await store.shop('GET', '', { headers: caller('01') })
    await vi.waitFor(() => expect(requests().some(({ name }) => name === 'GET /v1/store')).toBe(true))
    const [call, request] = requests().slice(-2)
    expect(request).toMatchObject({
      name: 'GET /v1/store',
      traceId,
      parentId: '00f067aa0ba902b7',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/store',
        'http.response.status_code': 200,
        'storekeep.store_id': store.id,
      },
    })
    expect(call).toMatchObject({ kind: 'client', traceId, parentId: request?.spanId })
    expect(gateway.services.calls.at(-1)?.call.traceparent).toContain(traceId)
  })

  it('has the trace id of the error and the log line', async () => {
    const { body } = await gateway.request('GET', '/nothing')
    await vi.waitFor(() => expect(requests()).toHaveLength(1))
    const [request] = requests()
    expect(body).toMatchObject({ trace_id: request?.traceId })
    expect(request).toMatchObject({ name: 'GET none', failed: false })
  })

  it('is not created for unsampled callers and probe routes', async () => {
    await gateway.newStore().shop('GET', '', { headers: caller('00') })
    for (const path of ['/healthz', '/readyz', '/metrics']) await gateway.request('GET', path)
    expect(record.spans()).toEqual([])
    expect(gateway.services.calls.at(-1)?.call.traceId).toBe(traceId)
  })
})

import { readFileSync } from 'node:fs'
import {
  fresh,
  type OtlpReceiver,
  onServer,
  openShop,
  type ReceivedSpan,
  report,
  type ServiceErrorBody,
  type System,
  scaled,
  startOtlpReceiver,
  startSystem,
  type TestStore,
  unknownId,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printTree } from './trace-tree.ts'
import {
  inPartitions,
  newCaller,
  traceOf,
  useSecrets,
  type Write,
  waitUntilComplete,
  write,
  writeMany,
} from './traced-writes.ts'

const everything = 0
const tenPercent = 1

/** TEST_PRINT_TRACE=1 prints a trace of each kind of write. */
describe('traces', () => {
  let receiver: OtlpReceiver
  let system: System
  let store: TestStore
  /** The store through the gateway that samples 10 %. */
  let sampled: TestStore

  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    // Traces that start in a service, such as index verification, are not recorded.
    const service = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: '0' }
    const gateway = { ...service, RATE_LIMIT_API_KEY_PER_MINUTE: '1000000', SHUTDOWN_GRACE_MS: '500' }
    system = await startSystem({
      gateways: ['1', '0.1'].map((ratio) => ({ ...gateway, OTEL_TRACES_SAMPLER_ARG: ratio })),
      settings: {
        stores: service,
        customers: service,
        bans: service,
        coupons: service,
        'custom-variables': service,
        checkout: service,
        search: service,
      },
    })
    store = (await system.createStore()).through(system.openGateway(everything, { checked: false }))
    sampled = store.through(system.openGateway(tenPercent, { checked: false }))
  })
  afterAll(async () => {
    await system?.stop()
    await receiver?.close()
  })

  it('of writes are unbroken from HTTP to the search index for at least 99.9 % of writes', async () => {
    const writes = await writeMany(store, scaled(300))
    const broken = await waitUntilComplete(receiver, writes)
    const whole = writes.length - broken.length
    report('traces', { writes: writes.length, unbroken: whole, spans: receiver.spans.length })
    if (process.env.TEST_PRINT_TRACE === '1') printOneOfEach(receiver, writes)
    expect(whole / writes.length, broken.slice(0, 5).join('\n')).toBeGreaterThanOrEqual(0.999)
  })

  it('negative control: a broken trace is detected when the outbox of bans loses its trace context', async () => {
    await onServer(system.databaseUrlOf('bans'), (client) =>
      client.query(`
        create function forget_trace() returns trigger language plpgsql as 'begin new.traceparent = null; return new; end';
        create trigger forget_trace before insert on outbox for each row execute function forget_trace()`),
    )
    const bans = await Promise.all(Array.from({ length: 20 }, () => write(store, 'ban')))
    const customers = await Promise.all(Array.from({ length: 20 }, () => write(store, 'customer')))
    expect(await waitUntilComplete(receiver, customers)).toEqual([])
    const committed = (one: Write) => traceOf(receiver, one).some(({ name }) => name === 'transaction')
    await waitFor('the first spans of the traces', () => bans.every(committed))
    expect(await waitUntilComplete(receiver, bans, 0)).toHaveLength(bans.length)
  })

  it('have the trace id of the error and the log line', async () => {
    const { body, headers } = await store.get<ServiceErrorBody>(`/customers/${unknownId}`)
    expect(body.code).toBe('not-found')
    const root = await waitFor('the trace', () => rootOf(receiver, body.trace_id ?? ''))
    expect(root.name).toBe('GET /v1/stores/{storeId}/customers/{customerId}')
    expect(root.attributes).toMatchObject({ 'http.response.status_code': 404, 'storekeep.store_id': store.id })
    const lines = readFileSync(system.gateways[everything]?.logFile ?? '', 'utf8').split('\n')
    const line = lines.find((one) => one.includes(String(headers['x-request-id']))) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ trace_id: body.trace_id, span_id: root.spanId })
  })

  it('contain no secret, no request content and no error message', async () => {
    const { traceId, values } = await useSecrets(store)
    await waitFor('the trace', () =>
      receiver.spans.some((span) => span.traceId === traceId && span.service === 'search'),
    )
    const text = receiver.spans.map((span) => JSON.stringify(span)).join('\n')
    expect(await system.findLeaks([{ place: 'spans', text }])).toEqual([])
    for (const value of values) expect(text).not.toContain(value)
    expect(receiver.spans.every(({ eventCount }) => eventCount === 0)).toBe(true)
    // Negative control: the search finds a secret.
    system.secrets.add('canary', traceId)
    expect(await system.findLeaks([{ place: 'spans', text }])).toContainEqual(expect.stringContaining('in spans'))
  })

  it('are complete or absent at a sampling rate of 10 %, and about 10 % are recorded', async () => {
    const before = new Set(receiver.spans.map(({ traceId }) => traceId))
    const { id } = await openShop(store).customer()
    const [reads, writes] = [scaled(320), scaled(80)]
    await inPartitions(reads, () => sampled.get(`/customers/${id}`))
    await inPartitions(writes, () => sampled.post('/customers', { name: fresh.name() }))
    // Recorded because its caller requests sampling; its event reaches the index after all others.
    const last = await write(sampled, 'customer')
    expect(await waitUntilComplete(receiver, [last])).toEqual([])
    const newer = () => receiver.spans.filter(({ traceId }) => !before.has(traceId))
    await waitFor('every span to have its parent', () => {
      const known = new Set(receiver.spans.map(({ spanId }) => spanId))
      return newer().every(({ parentId }) => parentId === '' || parentId === last.spanId || known.has(parentId))
    })
    const instance = rootOf(receiver, last.traceId)?.instance
    const recorded = newer().filter((span) => span.instance === instance && span.kind === 'server').length - 1
    const requests = reads + writes
    report('traces at a ratio of 0.1', { requests, recorded })
    const sixDeviations = 6 * Math.sqrt(requests * 0.1 * 0.9)
    expect(Math.abs(recorded - requests * 0.1)).toBeLessThan(sixDeviations)
  })

  it('are rate-limited for callers that request sampling', async () => {
    const sendRequests = async () => {
      const { traceId, headers } = newCaller()
      await sampled.get(`/customers/${unknownId}`, { headers })
      return traceId
    }
    const startedAt = performance.now()
    const traceIds = await inPartitions(200, sendRequests)
    const seconds = (performance.now() - startedAt) / 1000
    // Spans are exported in order: once a later trace has arrived, the earlier ones have too.
    const later: string[] = []
    await waitFor('a recorded trace', async () => {
      later.push(await sendRequests())
      return later.some((traceId) => rootOf(receiver, traceId))
    })
    const recorded = new Set(receiver.spans.map(({ traceId }) => traceId))
    // 10 immediately, 10 per second, and at random a tenth of the others, for which twice as many are allowed.
    const most = 10 + 10 * seconds + 0.2 * traceIds.length
    expect(traceIds.filter((traceId) => recorded.has(traceId)).length).toBeLessThanOrEqual(most)
  })

  it('that cannot be exported fail no request, are counted, and do not delay shutdown', async () => {
    const gateway = system.gateways[tenPercent]
    const http = system.openGateway(tenPercent, { checked: false })
    const { id } = await openShop(store).customer()
    const failures: number[] = []
    const sendRequests = () =>
      inPartitions(100, async () => {
        const { status } = await store.through(http).get(`/customers/${id}`)
        if (status !== 200) failures.push(status)
      })
    receiver.pause()
    await waitFor('an export without a response', () => sendRequests().then(() => receiver.pending() > 0))
    await waitFor('spans to be dropped', async () => {
      await sendRequests()
      const { text } = await http.request('GET', '/metrics')
      return /^trace_spans_dropped_total\{reason="export-failed",application="storekeep",service="gateway"\} [1-9]/m.test(
        text,
      )
    })
    await sendRequests()
    expect(failures).toEqual([])
    await gateway?.kill('SIGTERM')
    expect(await gateway?.exited()).toMatchObject({ code: 0 })
    receiver.resume()
    await waitFor(
      'complete traces again',
      async () => (await waitUntilComplete(receiver, [await write(store, 'customer')], 3000)).length === 0,
    )
    const lines = readFileSync(gateway?.logFile ?? '', 'utf8').split('\n')
    expect(lines.filter((line) => line.includes('trace export failed'))).toHaveLength(1)
  })
})

/** The HTTP span at the root. */
function rootOf(receiver: OtlpReceiver, traceId: string): ReceivedSpan | undefined {
  return traceOf(receiver, { traceId }).find(({ kind, service }) => kind === 'server' && service === 'gateway')
}

function printOneOfEach(receiver: OtlpReceiver, writes: readonly Write[]): void {
  for (const [kind, [first]] of Map.groupBy(writes, (one) => one.kind)) {
    if (first) process.stdout.write(`\n${kind}\n${printTree(traceOf(receiver, first), first.spanId)}\n`)
  }
}
